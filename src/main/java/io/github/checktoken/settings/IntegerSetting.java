package io.github.checktoken.settings;

import java.util.Map;

import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.utils.StringUtil;

import org.jboss.logging.Logger;

/**
 * A setting that is an integer in a range. Keycloak does not validate the settings of an execution on save, so the
 * value is validated each time it is read. The default replaces an invalid value, so that a typing error cannot weaken
 * a login.
 *
 * @param name key in the configuration
 * @param label message key of the label in the Admin Console; {@code .help} is appended for the message key of the help
 *     text
 * @param defaultValue applies if the setting is missing, blank or invalid
 * @param min inclusive
 * @param max inclusive
 */
public record IntegerSetting(String name, String label, int defaultValue, int min, int max) {

    private static final Logger logger = Logger.getLogger(IntegerSetting.class);

    /**
     * @param config null if the administrator has configured nothing
     * @return the configured number, or the default
     */
    public int value(Map<String, String> config) {
        if (!isValid(config)) {
            logger.warnf(
                    "The setting %s must be a number from %d to %d; its default %d is used",
                    name, min, max, defaultValue);
            return defaultValue;
        }
        return isSet(config) ? Integer.parseInt(config.get(name).strip()) : defaultValue;
    }

    /**
     * Whether the setting is missing, blank, or a number in the range: ASCII digits only, at most nine to fit an int.
     */
    public boolean isValid(Map<String, String> config) {
        if (!isSet(config)) {
            return true;
        }
        String text = config.get(name).strip();
        return text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= min && Integer.parseInt(text) <= max;
    }

    public ProviderConfigProperty property() {
        return SettingProperty.of(name, label, ProviderConfigProperty.INTEGER_TYPE, defaultValue);
    }

    private boolean isSet(Map<String, String> config) {
        return config != null && StringUtil.isNotBlank(config.get(name));
    }
}
