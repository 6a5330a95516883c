package io.github.checktoken.introspection.secretguess;

import java.util.List;
import java.util.stream.Stream;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;
import org.keycloak.provider.ProviderConfigurationBuilder;

/**
 * The server's settings for guesses at secrets, as options of the provider {@code checktoken}.
 *
 * @param maxWrong how many different wrong secrets for a client from one address start a lock; 0 means no limit
 * @param seconds how long a wrong secret counts, and how long the lock lasts
 * @param nat64Prefixes prefixes of the operator's NAT64 translators (RFC 6052)
 */
public record SecretGuessLimitConfig(int maxWrong, int seconds, List<Ipv6Prefix> nat64Prefixes) {

    static final String MAX_WRONG = "max-wrong-secrets";
    static final String SECONDS = "wrong-secrets-seconds";
    static final String NAT64_PREFIXES = "nat64-prefixes";

    private static final int DEFAULT_MAX_WRONG = 30;
    private static final int DEFAULT_SECONDS = 600;
    /** Limited because each wrong secret tries the slots one after the other. */
    private static final int MAX_MAX_WRONG = 300;

    private static final int MAX_SECONDS = 86_400;

    /**
     * @throws IllegalArgumentException if a value is not of its kind or is out of range; the server then does not start
     */
    public static SecretGuessLimitConfig of(Config.Scope config) {
        return new SecretGuessLimitConfig(
                number(config, MAX_WRONG, DEFAULT_MAX_WRONG, 0, MAX_MAX_WRONG),
                number(config, SECONDS, DEFAULT_SECONDS, 1, MAX_SECONDS),
                prefixes(config.getArray(NAT64_PREFIXES)));
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
                .property()
                .name(NAT64_PREFIXES)
                .type(ProviderConfigProperty.STRING_TYPE)
                .helpText("IPv6 prefixes of NAT64 translators in front of this server, with commas in between, such as"
                        + " 2001:db8:64::/96. The IPv4 address behind the prefix is counted.")
                .add()
                .build();
    }

    boolean isOff() {
        return maxWrong == 0;
    }

    private static List<Ipv6Prefix> prefixes(String[] texts) {
        try {
            return texts == null
                    ? List.of()
                    : Stream.of(texts).map(Ipv6Prefix::of).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The option %s is %s".formatted(NAT64_PREFIXES, e.getMessage()), e);
        }
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
