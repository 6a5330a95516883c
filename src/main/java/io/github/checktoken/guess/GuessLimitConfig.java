package io.github.checktoken.guess;

import java.util.List;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;

/**
 * The server's settings for guesses at secrets, options of the provider {@code checktoken}.
 *
 * @param maxWrong wrong secrets within the time; 0 switches the limit off
 * @param seconds how long a wrong secret counts, and how long the refusal lasts
 */
public record GuessLimitConfig(int maxWrong, int seconds) {

    static final String MAX_WRONG = "max-wrong-secrets";
    static final String SECONDS = "wrong-secrets-seconds";

    private static final int DEFAULT_MAX_WRONG = 30;
    private static final int DEFAULT_SECONDS = 600;
    /** Each wrong secret tries the slots one after the other. */
    private static final int MAX_MAX_WRONG = 300;

    private static final int MAX_SECONDS = 86_400;

    /** @throws IllegalArgumentException if a number is none or out of its range: the server does not start with it */
    public static GuessLimitConfig of(Config.Scope config) {
        return new GuessLimitConfig(
                number(config, MAX_WRONG, DEFAULT_MAX_WRONG, 0, MAX_MAX_WRONG),
                number(config, SECONDS, DEFAULT_SECONDS, 1, MAX_SECONDS));
    }

    /** What Keycloak lists as the provider's options. */
    public static List<ProviderConfigProperty> properties() {
        return ProviderConfigurationBuilder.create()
                .property()
                .name(MAX_WRONG)
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .helpText(
                        "How many different wrong secrets a client and address have before secrets are refused. 0: no limit.")
                .defaultValue(DEFAULT_MAX_WRONG)
                .add()
                .property()
                .name(SECONDS)
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .helpText("Seconds for which a wrong secret counts, and for which secrets are refused then.")
                .defaultValue(DEFAULT_SECONDS)
                .add()
                .build();
    }

    boolean isOff() {
        return maxWrong == 0;
    }

    private static int number(Config.Scope config, String name, int defaultValue, int min, int max) {
        Integer number = config.getInt(name, defaultValue);
        if (number < min || number > max) {
            throw new IllegalArgumentException(
                    "The option %s must be a number from %d to %d".formatted(name, min, max));
        }
        return number;
    }
}
