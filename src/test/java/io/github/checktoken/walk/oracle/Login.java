package io.github.checktoken.walk.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One authentication session of Keycloak's, a tab in its words, and what was given in it: the oracle's own record, without a
 * look at Keycloak's.
 */
public final class Login {

    private final List<Proof> proofs = new ArrayList<>();
    private final List<String> trail = new ArrayList<>();
    private String person;

    List<Proof> proofs() {
        return List.copyOf(proofs);
    }

    /** Whom the login knew last; null before. */
    public String person() {
        return person;
    }

    /** A change of person ends what was given before. */
    public void given(Proof proof) {
        if (proof.person() != null) {
            identified(proof.person());
        }
        proofs.add(proof);
    }

    /** Right, but nobody saw whether it was accepted. */
    public void perhapsGiven(Proof proof) {
        proofs.add(proof);
    }

    /** Somebody said who they are: no proof, but perhaps a change of person. */
    public void identified(String name) {
        proofs.removeIf(proof -> proof.person() != null && !Objects.equals(proof.person(), name));
        person = name;
    }

    public void passed(String door) {
        trail.add(door);
    }

    /** The last steps of this login. */
    String lastSteps() {
        return String.join(" > ", trail.subList(Math.max(0, trail.size() - 4), trail.size()));
    }
}
