package io.github.checktoken.guess;

import java.util.List;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;

/**
 * The server's settings for guesses at secrets, options of the provider {@code checktoken}.
 *
 * @param most wrong secrets within the time; 0 switches the limit off
 * @param seconds how long a wrong secret counts, and how long the refusal lasts
 */
public record GuessLimitConfig(int most, int seconds) {

    static final String MOST = "max-wrong-secrets";
    static final String SECONDS = "wrong-secrets-seconds";

    private static final int DEFAULT_MOST = 30;
    private static final int DEFAULT_SECONDS = 600;
    /** Each wrong secret tries the slots one after the other. */
    private static final int LARGEST_MOST = 300;

    private static final int LARGEST_SECONDS = 86_400;

    /** @throws IllegalArgumentException if a number is none or out of its range: the server does not start with it */
    public static GuessLimitConfig of(Config.Scope config) {
        return new GuessLimitConfig(
                number(config, MOST, DEFAULT_MOST, 0, LARGEST_MOST),
                number(config, SECONDS, DEFAULT_SECONDS, 1, LARGEST_SECONDS));
    }

    /** What Keycloak lists as the provider's options. */
    public static List<ProviderConfigProperty> properties() {
        return ProviderConfigurationBuilder.create()
                .property()
                .name(MOST)
                .type(ProviderConfigProperty.INTEGER_TYPE)
                .helpText(
                        "How many different wrong secrets a client and address have before secrets are refused. 0: no limit.")
                .defaultValue(DEFAULT_MOST)
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
        return most == 0;
    }

    private static int number(Config.Scope config, String name, int standard, int least, int most) {
        Integer number = config.getInt(name, standard);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "The option %s must be a number from %d to %d".formatted(name, least, most));
        }
        return number;
    }
}
