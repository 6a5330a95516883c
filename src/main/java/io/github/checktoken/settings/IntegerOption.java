package io.github.checktoken.settings;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;

/**
 * An option of the server that is an integer in a range.
 *
 * @param name without the prefix that names the provider
 * @param min inclusive
 * @param max inclusive
 * @param help what it means, in English
 */
public record IntegerOption(String name, int defaultValue, int min, int max, String help) {

    /** @throws IllegalArgumentException if the value is no number or out of range; the server then does not start */
    public int value(Config.Scope config) {
        Integer number = config.getInt(name, defaultValue);
        if (number < min || number > max) {
            throw new IllegalArgumentException(
                    "The option %s must be a number from %d to %d".formatted(name, min, max));
        }
        return number;
    }

    /** The option, as Keycloak lists it. */
    public ProviderConfigProperty property() {
        return new ProviderConfigProperty(name, null, help, ProviderConfigProperty.INTEGER_TYPE, defaultValue);
    }
}
