package io.github.checktoken.walk.oracle;

import java.util.Set;
import java.util.TreeSet;

/**
 * What an answer may report about a person at most.
 *
 * @param signedIn whether a proof was enough to sign the person in
 * @param methods the methods that count for amr
 * @param everInSession all methods of the session, even those before a forced re-authentication, because a level of
 *     authentication has its own age
 */
public record PermittedClaims(boolean signedIn, Set<String> methods, Set<String> everInSession) {

    private static final Set<String> KNOWLEDGE = Set.of("pwd", "pin");
    private static final Set<String> POSSESSION = Set.of("pop", "otp");

    /** @return the values that {@code amr} may have */
    public Set<String> values() {
        Set<String> values = new TreeSet<>(methods);
        if (methods.stream().anyMatch(KNOWLEDGE::contains) && methods.stream().anyMatch(POSSESSION::contains)) {
            values.add("mfa");
        }
        return values;
    }
}
