package io.github.checktoken.settings;

import java.util.Map;

import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;
import org.keycloak.utils.StringUtil;

import org.jboss.logging.Logger;

/**
 * A setting that is a whole number between two bounds. Keycloak saves the settings of an execution unchecked, so each is
 * checked when it is read: what cannot be meant counts as the default, and nobody weakens a login by a slip of the keyboard.
 *
 * @param name its key in the configuration
 * @param label key of its text in the Admin Console; with {@code Help} after it, of its help
 * @param defaultValue the default
 */
public record IntegerSetting(String name, String label, int defaultValue, int min, int max) {

    private static final Logger logger = Logger.getLogger(IntegerSetting.class);

    /** The number that is set, or the default. */
    public int value(Map<String, String> config) {
        if (!isValid(config)) {
            logger.warnf(
                    "The setting %s must be a number from %d to %d; its default %d is used",
                    name, min, max, defaultValue);
            return defaultValue;
        }
        return isSet(config) ? Integer.parseInt(config.get(name).strip()) : defaultValue;
    }

    /** Whether it is a number that it may be, or not set. ASCII digits alone, few enough to be an int. */
    public boolean isValid(Map<String, String> config) {
        if (!isSet(config)) {
            return true;
        }
        String text = config.get(name).strip();
        return text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= min && Integer.parseInt(text) <= max;
    }

    public ProviderConfigProperty property() {
        return ProviderConfigurationBuilder.create()
                .property()
                .name(name)
                .label(label)
                .helpText(label + "Help")
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .defaultValue(defaultValue)
                .add()
                .build()
                .get(0);
    }

    private boolean isSet(Map<String, String> config) {
        return StringUtil.isNotBlank(config.get(name));
    }
}
