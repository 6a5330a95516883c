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
 *
 * @param length minimum number of digits of a new PIN
 * @param maxFailures how many wrong PINs a user may enter within {@code failureWindow}
 * @param failureWindow seconds for which a wrong PIN counts
 */
record PinConfig(int length, int maxFailures, int failureWindow) {

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
            Set.of(PinAuthenticator.PROVIDER_ID, PinDirectGrantAuthenticator.PROVIDER_ID);

    /** @param action null if the administrator has configured nothing */
    static PinConfig of(RequiredActionConfigModel action) {
        return read(action == null ? null : action.getConfig());
    }

    /** @param execution null if the administrator has configured nothing */
    static PinConfig of(AuthenticatorConfigModel execution) {
        return read(execution == null ? null : execution.getConfig());
    }

    private static PinConfig read(Map<String, String> config) {
        return new PinConfig(MINIMUM_LENGTH.value(config), MAX_FAILURES.value(config), FAILURE_WINDOW.value(config));
    }

    /**
     * Combines the strictest settings of all enabled executions of the realm that ask for the PIN, or returns the
     * defaults if there are none: they share one count, also with the page on which a PIN is changed.
     */
    static PinConfig strictestIn(RealmModel realm) {
        return realm.getAuthenticationFlowsStream()
                .flatMap(flow -> realm.getAuthenticationExecutionsStream(flow.getId()))
                .filter(execution -> execution.isEnabled() && !execution.isAuthenticatorFlow())
                .filter(execution -> PIN_AUTHENTICATORS.contains(execution.getAuthenticator()))
                .map(AuthenticationExecutionModel::getAuthenticatorConfig)
                .map(config -> of(config == null ? null : realm.getAuthenticatorConfigById(config)))
                .reduce(PinConfig::strictest)
                .orElseGet(() -> read(null));
    }

    private PinConfig strictest(PinConfig other) {
        return new PinConfig(
                Math.max(length, other.length),
                Math.min(maxFailures, other.maxFailures),
                Math.max(failureWindow, other.failureWindow));
    }

    /** Whether the setting for the length is in its range, or not set. */
    static boolean isLengthValid(RequiredActionConfigModel action) {
        return MINIMUM_LENGTH.isValid(action.getConfig());
    }
}
