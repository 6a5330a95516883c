package io.github.checktoken.pin;

import java.util.List;
import java.util.Map;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.RequiredActionConfigModel;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;

import org.jboss.logging.Logger;

/**
 * The settings about PINs. The length belongs to the required action, which alone sees a PIN being chosen; the cap on wrong
 * PINs belongs to the execution of the form.
 */
final class PinConfig {

    static final String LENGTH = "length";
    static final String MAX_FAILURES = "maxFailures";
    static final String FAILURE_WINDOW = "failureWindow";

    /** Digits. Nobody remembers more, and no setting can ask for fewer. */
    static final int SHORTEST = 6;

    static final int LONGEST = 16;

    static final List<ProviderConfigProperty> OF_THE_ACTION =
            List.of(property(LENGTH, "checktokenPinLength", SHORTEST));
    static final List<ProviderConfigProperty> OF_THE_FORM = List.of(
            property(MAX_FAILURES, "checktokenPinMaxFailures", 5),
            property(FAILURE_WINDOW, "checktokenPinFailureWindow", 900));

    private static final Logger logger = Logger.getLogger(PinConfig.class);

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

    /** The fewest digits of a new PIN. */
    int length() {
        return number(OF_THE_ACTION.get(0), SHORTEST, LONGEST);
    }

    /** How many wrong PINs a person may give within {@link #failureWindow}. */
    int maxFailures() {
        return number(OF_THE_FORM.get(0), 1, 100);
    }

    /** Seconds for which a wrong PIN counts. */
    int failureWindow() {
        return number(OF_THE_FORM.get(1), 1, 86_400);
    }

    /** Whether {@link #length} is a number that it may be, or not set. */
    boolean isLengthValid() {
        return isNumber(config.get(LENGTH), SHORTEST, LONGEST);
    }

    /** Keycloak saves an execution's settings unchecked: a value that cannot be meant gives way to the default. */
    private int number(ProviderConfigProperty property, int least, int most) {
        String value = config.get(property.getName());
        if (!isNumber(value, least, most)) {
            logger.warnf(
                    "pin: the setting %s must be a number from %d to %d; its default %s is used",
                    property.getName(), least, most, property.getDefaultValue());
            value = null;
        }
        return Integer.parseInt(isUnset(value) ? (String) property.getDefaultValue() : value.strip());
    }

    private static boolean isNumber(String value, int least, int most) {
        if (isUnset(value)) {
            return true;
        }
        try {
            int number = Integer.parseInt(value.strip());
            return least <= number && number <= most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isUnset(String value) {
        return value == null || value.isBlank();
    }

    private static ProviderConfigProperty property(String name, String label, int defaultValue) {
        return ProviderConfigurationBuilder.create()
                .property()
                .name(name)
                .label(label)
                .helpText(label + "Help")
                .type(ProviderConfigProperty.STRING_TYPE)
                .defaultValue(String.valueOf(defaultValue))
                .add()
                .build()
                .get(0);
    }
}
