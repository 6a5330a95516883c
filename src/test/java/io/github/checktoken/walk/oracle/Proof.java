package io.github.checktoken.walk.oracle;

import java.util.Set;

/**
 * What was really given, and for whom.
 *
 * @param person the name; null for an identity of a provider that nobody had linked at that time
 * @param identity null unless a provider vouched for it
 * @param methods none where it says who the person is, and nothing of how they signed in: a link of a mail, a registration
 * @param signsIn whether it is a reason to sign the person in
 */
public record Proof(String person, Identity identity, Set<String> methods, boolean signsIn) {

    public static Proof of(String person, String method) {
        return new Proof(person, null, Set.of(method), true);
    }

    public static Proof withoutMethod(String person) {
        return new Proof(person, null, Set.of(), true);
    }
}
