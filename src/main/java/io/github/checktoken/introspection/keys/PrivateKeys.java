package io.github.checktoken.introspection.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Private keys in a JWK Set, which nobody but the data provider should have. Whoever reads the set can then decrypt
 * answers or authenticate as the data provider.
 *
 * @param members for each of these keys its number in the set and its private members, such as {@code 1: d, p, q}
 * @param keys which keys these are: a hash of their public members
 */
record PrivateKeys(String members, List<Integer> keys) {

    /** RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1. */
    private static final List<String> PRIVATE = List.of("d", "p", "q", "dp", "dq", "qi", "oth", "k");

    private static final List<String> PUBLIC = List.of("kty", "kid", "n", "crv", "x", "y");

    /** @return empty if the set has only public keys */
    static Optional<PrivateKeys> of(JwkSet set) {
        List<?> jwks = set.jwks();
        List<String> members = new ArrayList<>();
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < jwks.size(); i++) {
            if (jwks.get(i) instanceof Map<?, ?> jwk && PRIVATE.stream().anyMatch(name -> jwk.get(name) != null)) {
                members.add((i + 1) + ": " + in(jwk, PRIVATE).collect(Collectors.joining(", ")));
                keys.add(in(jwk, PUBLIC).map(jwk::get).toList().hashCode());
            }
        }
        return keys.isEmpty() ? Optional.empty() : Optional.of(new PrivateKeys(String.join("; ", members), keys));
    }

    private static Stream<String> in(Map<?, ?> jwk, List<String> names) {
        return names.stream().filter(name -> jwk.get(name) != null);
    }
}
