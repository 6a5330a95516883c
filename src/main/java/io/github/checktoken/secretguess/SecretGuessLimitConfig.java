package io.github.checktoken.secretguess;

import java.util.List;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;

/**
 * The server's settings for guesses at secrets, as options of the provider {@code checktoken}.
 *
 * @param maxWrong how many different wrong secrets for a client from one address start a lock; 0 means no limit
 * @param seconds how long a wrong secret counts, and how long the lock lasts
 */
public record SecretGuessLimitConfig(int maxWrong, int seconds) {

    static final String MAX_WRONG = "max-wrong-secrets";
    static final String SECONDS = "wrong-secrets-seconds";

    private static final int DEFAULT_MAX_WRONG = 30;
    private static final int DEFAULT_SECONDS = 600;
    /** Limited because each wrong secret tries the slots one after the other. */
    private static final int MAX_MAX_WRONG = 300;

    private static final int MAX_SECONDS = 86_400;

    /**
     * @throws IllegalArgumentException if a value is not a number or is out of range; the server then does not start
     */
    public static SecretGuessLimitConfig of(Config.Scope config) {
        return new SecretGuessLimitConfig(
                number(config, MAX_WRONG, DEFAULT_MAX_WRONG, 0, MAX_MAX_WRONG),
                number(config, SECONDS, DEFAULT_SECONDS, 1, MAX_SECONDS));
    }

    /** The options of the provider, as Keycloak lists them. */
    public static List<ProviderConfigProperty> properties() {
        return ProviderConfigurationBuilder.create()
                .property()
                .name(MAX_WRONG)
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .helpText("How many different wrong secrets for a client from one address start a lock. 0: no limit.")
                .defaultValue(DEFAULT_MAX_WRONG)
                .add()
                .property()
                .name(SECONDS)
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .helpText("How many seconds a wrong secret counts, and how many seconds the lock lasts.")
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
