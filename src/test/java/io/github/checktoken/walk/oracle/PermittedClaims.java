package io.github.checktoken.walk.oracle;

import java.util.Set;
import java.util.TreeSet;

/**
 * The most that an answer may tell of a person.
 *
 * @param signedIn whether they proved anything at all
 * @param everInSession also before a forced re-authentication: a level of authentication has an age of its own
 */
public record PermittedClaims(boolean signedIn, Set<String> methods, Set<String> everInSession) {

    private static final Set<String> KNOWLEDGE = Set.of("pwd", "pin");
    private static final Set<String> POSSESSION = Set.of("pop", "otp");

    /** As it may stand in {@code amr}. */
    public Set<String> values() {
        Set<String> values = new TreeSet<>(methods);
        if (methods.stream().anyMatch(KNOWLEDGE::contains) && methods.stream().anyMatch(POSSESSION::contains)) {
            values.add("mfa");
        }
        return values;
    }
}
