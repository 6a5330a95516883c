package io.github.checktoken.introspection.keys;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Why a JWK does not fit, by what it declares about itself (RFC 7517 sections 4.1 to 4.5). It names members only, because
 * their values are the data provider's.
 */
final class JwkMisfit {

    /** Of how many keys an error says why they do not fit. */
    private static final int MAX_NAMED = 5;

    /** Limits the kid, because it is written into every answer and kept with the key. */
    private static final int MAX_KID_CHARACTERS = 1000;

    private static final Set<String> OPERATIONS = Set.of("encrypt", "wrapKey", "deriveKey", "deriveBits");

    private JwkMisfit() {}

    /**
     * @param algorithm JWE {@code alg}
     * @return the member that does not fit
     */
    static Optional<String> of(Map<?, ?> jwk, String algorithm) {
        boolean isRsa = algorithm.startsWith("RSA");
        Set<String> types = isRsa ? Set.of("RSA") : Set.of("EC", "OKP");
        Object kid = jwk.get("kid");
        if (!(jwk.get("kty") instanceof String type) || !types.contains(type)) {
            return Optional.of("kty");
        }
        if (kid != null && !(kid instanceof String text && text.length() <= MAX_KID_CHARACTERS)) {
            return Optional.of("kid");
        }
        if (jwk.get("alg") != null && !algorithm.equals(jwk.get("alg"))) {
            return Optional.of("alg");
        }
        if (jwk.get("use") != null && !"enc".equals(jwk.get("use"))) {
            return Optional.of("use");
        }
        return mayEncrypt(jwk.get("key_ops"), isRsa) ? Optional.empty() : Optional.of("key_ops");
    }

    /** The public half of a pair for a key agreement has no operations: WebCrypto exports it with an empty list. */
    private static boolean mayEncrypt(Object operations, boolean isRsa) {
        return operations == null
                || operations instanceof Collection<?> all
                        && (all.isEmpty() && !isRsa
                                || all.stream()
                                        .anyMatch(operation -> operation != null && OPERATIONS.contains(operation)));
    }

    /**
     * @param set none of whose keys fits
     * @return for each of the first keys its number in the set and the member that does not fit, such as {@code 1: alg}
     */
    static String all(JwkSet set, String algorithm) {
        List<?> jwks = set.jwks();
        if (jwks.isEmpty()) {
            return "there is none";
        }
        return IntStream.range(0, Math.min(jwks.size(), MAX_NAMED))
                .mapToObj(i -> (i + 1) + ": "
                        + (jwks.get(i) instanceof Map<?, ?> jwk
                                ? of(jwk, algorithm).orElseGet(() -> unusableValue(jwk))
                                : "no JSON object"))
                .collect(Collectors.joining(", "));
    }

    private static String unusableValue(Map<?, ?> jwk) {
        return "RSA".equals(jwk.get("kty")) ? "n or e" : "crv, x or y";
    }
}
