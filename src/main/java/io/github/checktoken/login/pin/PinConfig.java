package io.github.checktoken.login.pin;

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
 * The settings for PINs. The length belongs to the required action, because only that action sees a PIN being chosen.
 * The limit on wrong PINs belongs to the executions that ask for the PIN.
 */
final class PinConfig {

    static final String LENGTH = "length";

    /** Number of digits. No setting can allow shorter PINs. */
    static final int SHORTEST = 6;

    /** Number of digits. People do not remember longer PINs. */
    static final int LONGEST = 16;

    private static final IntegerSetting MINIMUM_LENGTH =
            new IntegerSetting(LENGTH, "checktokenPinLength", SHORTEST, SHORTEST, LONGEST);
    private static final IntegerSetting MAX_FAILURES =
            new IntegerSetting("maxFailures", "checktokenPinMaxFailures", 5, 1, 100);
    private static final IntegerSetting FAILURE_WINDOW =
            new IntegerSetting("failureWindow", "checktokenPinFailureWindow", 900, 1, 86_400);

    static final List<ProviderConfigProperty> ACTION_PROPERTIES = List.of(MINIMUM_LENGTH.property());
    static final List<ProviderConfigProperty> FORM_PROPERTIES =
            List.of(MAX_FAILURES.property(), FAILURE_WINDOW.property());

    private static final Set<String> PIN_AUTHENTICATORS =
            Set.of(PinAuthenticatorFactory.PROVIDER_ID, PinDirectGrantAuthenticator.PROVIDER_ID);

    private final Map<String, String> config;

    private PinConfig(Map<String, String> config) {
        this.config = config == null ? Map.of() : config;
    }

    /** @param action null if the administrator has configured nothing */
    static PinConfig of(RequiredActionConfigModel action) {
        return new PinConfig(action == null ? null : action.getConfig());
    }

    /** @param execution null if the administrator has configured nothing */
    static PinConfig of(AuthenticatorConfigModel execution) {
        return new PinConfig(execution == null ? null : execution.getConfig());
    }

    /**
     * Combines the strictest settings of all enabled executions of the realm that ask for the PIN, or returns the
     * defaults if there are none. This is for changing a PIN, which happens outside these executions.
     */
    static PinConfig strictestIn(RealmModel realm) {
        List<PinConfig> all = realm.getAuthenticationFlowsStream()
                .flatMap(flow -> realm.getAuthenticationExecutionsStream(flow.getId()))
                .filter(execution -> execution.isEnabled() && !execution.isAuthenticatorFlow())
                .filter(execution -> PIN_AUTHENTICATORS.contains(execution.getAuthenticator()))
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

    /** @return minimum number of digits of a new PIN */
    int length() {
        return MINIMUM_LENGTH.value(config);
    }

    /** @return how many wrong PINs a user may enter within {@link #failureWindow} */
    int maxFailures() {
        return MAX_FAILURES.value(config);
    }

    /** @return seconds for which a wrong PIN counts */
    int failureWindow() {
        return FAILURE_WINDOW.value(config);
    }

    /** Whether the setting for {@link #length} is in its range, or not set. */
    boolean isLengthValid() {
        return MINIMUM_LENGTH.isValid(config);
    }
}
