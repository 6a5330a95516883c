package io.github.checktoken.pin;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.RequiredActionConfigModel;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.IntegerSetting;

/**
 * The settings about PINs. The length belongs to the required action, which alone sees a PIN being chosen; the cap on wrong
 * PINs belongs to the execution of the form.
 */
final class PinConfig {

    static final String LENGTH = "length";

    /** Digits. Nobody remembers more, and no setting can ask for fewer. */
    static final int SHORTEST = 6;

    static final int LONGEST = 16;

    private static final IntegerSetting MINIMUM_LENGTH =
            new IntegerSetting(LENGTH, "checktokenPinLength", SHORTEST, SHORTEST, LONGEST);
    private static final IntegerSetting MAX_FAILURES =
            new IntegerSetting("maxFailures", "checktokenPinMaxFailures", 5, 1, 100);
    private static final IntegerSetting FAILURE_WINDOW =
            new IntegerSetting("failureWindow", "checktokenPinFailureWindow", 900, 1, 86_400);

    static final List<ProviderConfigProperty> OF_THE_ACTION = List.of(MINIMUM_LENGTH.property());
    static final List<ProviderConfigProperty> OF_THE_FORM = List.of(MAX_FAILURES.property(), FAILURE_WINDOW.property());

    private static final Set<String> ASKING =
            Set.of(PinAuthenticatorFactory.PROVIDER_ID, PinDirectGrantAuthenticator.PROVIDER_ID);

    private final Map<String, String> config;

    private PinConfig(Map<String, String> config) {
        this.config = config == null ? Map.of() : config;
    }

    /** @param action null where the administrator set nothing */
    static PinConfig of(RequiredActionConfigModel action) {
        return new PinConfig(action == null ? null : action.getConfig());
    }

    /** @param execution null where the administrator set nothing */
    static PinConfig of(AuthenticatorConfigModel execution) {
        return new PinConfig(execution == null ? null : execution.getConfig());
    }

    /**
     * The strictest of all executions of the realm that ask for the PIN, or the defaults without any: who changes a PIN
     * comes from none of them.
     */
    static PinConfig strictestIn(RealmModel realm) {
        List<PinConfig> all = realm.getAuthenticationFlowsStream()
                .flatMap(flow -> realm.getAuthenticationExecutionsStream(flow.getId()))
                .filter(execution -> execution.isEnabled() && !execution.isAuthenticatorFlow())
                .filter(execution -> ASKING.contains(execution.getAuthenticator()))
                .map(AuthenticationExecutionModel::getAuthenticatorConfig)
                .map(config -> of(config == null ? null : realm.getAuthenticatorConfigById(config)))
                .toList();
        if (all.isEmpty()) {
            return new PinConfig(null);
        }
        return new PinConfig(Map.of(
                MAX_FAILURES.name(),
                String.valueOf(
                        all.stream().mapToInt(PinConfig::maxFailures).min().orElseThrow()),
                FAILURE_WINDOW.name(),
                String.valueOf(
                        all.stream().mapToInt(PinConfig::failureWindow).max().orElseThrow())));
    }

    /** The fewest digits of a new PIN. */
    int length() {
        return MINIMUM_LENGTH.value(config);
    }

    /** How many wrong PINs a person may give within {@link #failureWindow}. */
    int maxFailures() {
        return MAX_FAILURES.value(config);
    }

    /** Seconds for which a wrong PIN counts. */
    int failureWindow() {
        return FAILURE_WINDOW.value(config);
    }

    /** Whether {@link #length} is a number that it may be, or not set. */
    boolean isLengthValid() {
        return MINIMUM_LENGTH.isValid(config);
    }
}
