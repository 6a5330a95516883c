package io.github.checktoken.walk.oracle;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * One authentication session of Keycloak (a tab, in Keycloak's words), and what was proved in it. This is the oracle's
 * own record; Keycloak's is not used.
 */
public final class Login {

    private final List<Proof> proofs = new ArrayList<>();
    private final List<String> trail = new ArrayList<>();
    private final Set<String> provers = new LinkedHashSet<>();
    private final Set<String> everProved = new TreeSet<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final Set<String> notAsked = new LinkedHashSet<>();
    private final IssuedCode startedIn;
    private String person;

    /** @param startedIn the newest login of the session in which this one begins; null if there is no session */
    public Login(IssuedCode startedIn) {
        this.startedIn = startedIn;
    }

    /** @return the session counts for its person even if it ends before this login does */
    IssuedCode startedIn() {
        return startedIn;
    }

    List<Proof> proofs() {
        return List.copyOf(proofs);
    }

    /** @return the last person of the login; null if there was none */
    public String person() {
        return person;
    }

    /** Records a proof. If it changes the person, the proofs of the earlier person are removed. */
    public void given(Proof proof) {
        if (proof.person() != null) {
            identified(proof.person());
        }
        provers.add(proof.person() != null ? proof.person() : proof.identity().name());
        proofs.add(proof);
        everProved.addAll(proof.methods());
        if (proof.identity() == null) {
            notAsked.remove(proof.person());
        } else {
            notAsked.add(proof.person());
        }
    }

    /** Records that the link of a reset was opened. It signs the person in, but agrees to no identity. */
    public void reset(Proof proof) {
        given(proof);
        notAsked.add(proof.person());
    }

    /** Whether the last proof of the person was the link of a reset, or a login at a provider: neither asks about others. */
    boolean isNotAsked(String person) {
        return notAsked.contains(person);
    }

    /** @return who has proved anything in this login, even if it does not count any more */
    public Set<String> provers() {
        return provers;
    }

    /** @return with which methods anybody has proved anything in this login, even if it does not count any more */
    public Set<String> everProved() {
        return everProved;
    }

    /** Records a correct secret if the browser could not see whether it was accepted. */
    public void perhapsGiven(Proof proof) {
        proofs.add(proof);
    }

    /** @param parameters the names of the parameters of its authorization request */
    public void asksFor(Set<String> parameters) {
        asked.addAll(parameters);
    }

    /** Whether the client wants a level told at once, in the front channel. */
    public boolean asksForLevelAtOnce() {
        return asked.containsAll(Set.of("acr_values", "response_type"));
    }

    /** Records that somebody entered a name. That proves nothing, but may change the person. */
    public void identified(String name) {
        proofs.removeIf(proof -> proof.person() != null && !Objects.equals(proof.person(), name));
        person = name;
    }

    /** @return what was done last; empty if nothing was */
    public String lastStep() {
        return trail.isEmpty() ? "" : trail.get(trail.size() - 1);
    }

    public void passed(String door) {
        trail.add(door);
    }

    /** @return the last steps of this login */
    String lastSteps() {
        return String.join(" > ", trail.subList(Math.max(0, trail.size() - 4), trail.size()));
    }
}
