package io.github.checktoken.introspection.secretguess;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.keycloak.Config;
import org.keycloak.provider.ProviderConfigProperty;

import io.github.checktoken.settings.IntegerOption;
import io.github.checktoken.telemetry.RecentlyUsedMap;

/**
 * The limit for guesses at secrets on one node: the server's settings for it, as options of the provider {@code checktoken},
 * and the locks that the node has seen. If it has seen none for a caller, it does not ask the store that all nodes share.
 * If another node has begun a lock, this node sees it when it gets the next wrong secret.
 *
 * @param maxWrong how many different wrong secrets for a client from one address start a lock; 0 means no limit
 * @param seconds how long a wrong secret counts, and how long the lock lasts
 * @param nat64Prefixes prefixes of the operator's NAT64 translators (RFC 6052)
 * @param seenLocks for whom there may be a lock. The store says whether it still lasts
 */
public record SecretGuessLimit(int maxWrong, int seconds, List<Ipv6Prefix> nat64Prefixes, Set<String> seenLocks) {

    /** Limited because each wrong secret tries the slots one after the other. */
    private static final int MAX_MAX_WRONG = 300;

    /** If there are more locks, the oldest is forgotten, and seen again at the next wrong secret. */
    private static final int MAX_SEEN = 10_000;

    private static final IntegerOption MAX_WRONG = new IntegerOption(
            "max-wrong-secrets",
            30,
            0,
            MAX_MAX_WRONG,
            "How many different wrong secrets for a client from one address start a lock. 0: no limit.");
    private static final IntegerOption SECONDS = new IntegerOption(
            "wrong-secrets-seconds",
            600,
            1,
            86_400,
            "How many seconds a wrong secret counts, and how many seconds the lock lasts.");
    private static final String NAT64_PREFIXES = "nat64-prefixes";

    /**
     * @throws IllegalArgumentException if a value is not of its kind or is out of range; the server then does not start
     */
    public static SecretGuessLimit of(Config.Scope config) {
        return new SecretGuessLimit(
                MAX_WRONG.value(config),
                SECONDS.value(config),
                prefixes(config.getArray(NAT64_PREFIXES)),
                Collections.newSetFromMap(RecentlyUsedMap.atMost(MAX_SEEN)));
    }

    /** The options of the provider, as Keycloak lists them. */
    public static List<ProviderConfigProperty> properties() {
        return List.of(
                MAX_WRONG.property(),
                SECONDS.property(),
                new ProviderConfigProperty(
                        NAT64_PREFIXES,
                        null,
                        "IPv6 prefixes of NAT64 translators in front of this server, with commas in between, such as"
                                + " 2001:db8:64::/96. The IPv4 address behind the prefix is counted.",
                        ProviderConfigProperty.STRING_TYPE,
                        null));
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
}
