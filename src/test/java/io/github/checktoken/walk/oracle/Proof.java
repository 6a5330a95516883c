package io.github.checktoken.walk.oracle;

import java.util.Set;

/**
 * What was really proved, and for whom.
 *
 * @param person the name; null for an identity of a provider that was not linked to anybody at that time
 * @param identity null unless a provider vouched for it
 * @param methods empty if it only shows who the person is: a link in a mail, a registration
 * @param signsIn whether the proof is enough to sign the person in
 */
public record Proof(String person, Identity identity, Set<String> methods, boolean signsIn) {

    public static Proof of(String person, String method) {
        return new Proof(person, null, Set.of(method), true);
    }

    public static Proof withoutMethod(String person) {
        return new Proof(person, null, Set.of(), true);
    }

    /** A link for one action only, such as an administrator's. It ends when the action is done. */
    public static Proof forOneAction(String person) {
        return new Proof(person, null, Set.of(), false);
    }
}
