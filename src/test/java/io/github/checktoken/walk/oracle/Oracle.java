package io.github.checktoken.walk.oracle;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

import io.github.checktoken.walk.browser.Request;

/** Says the most that an answer may tell. It knows what was given for whom and when, and asks neither Keycloak nor this project. */
public final class Oracle {

    private final BiPredicate<Identity, String> linked;
    private final BiPredicate<Identity, String> needsNoProof;
    private final Map<IssuedCode, String> persons = new IdentityHashMap<>();
    private IssuedCode session;

    /**
     * @param linked whether an identity belongs to a person now
     * @param needsNoProof whether a first login of an identity may sign this person in without a proof of theirs
     */
    public Oracle(BiPredicate<Identity, String> linked, BiPredicate<Identity, String> needsNoProof) {
        this.linked = linked;
        this.needsNoProof = needsNoProof;
    }

    /** A code was issued. For whom, only its ID token tells. */
    public IssuedCode issued(Request request, Login login) {
        session = new IssuedCode(request, login, login.proofs(), session);
        return session;
    }

    public boolean hasSession() {
        return session != null;
    }

    /** The person of the session, as far as an ID token has told; null where none has. */
    public String person() {
        return session == null ? null : persons.get(session);
    }

    public void loggedOut() {
        session = null;
    }

    /** What the person proved in the session as it is now: a level of authentication follows it, also at a refresh. */
    public Set<String> inSession(String person) {
        return session == null ? Set.of() : allowance(session, person, false).everInSession();
    }

    public PermittedClaims allowance(IssuedCode issue, String person) {
        return allowance(issue, person, true);
    }

    private PermittedClaims allowance(IssuedCode issue, String person, boolean told) {
        if (told) {
            persons.putIfAbsent(issue, person);
        }
        boolean signedIn = false;
        boolean counts = true;
        Set<String> methods = new TreeSet<>();
        Set<String> everInSession = new TreeSet<>();
        for (IssuedCode login = issue; login != null; login = login.before()) {
            if (!person.equals(persons.getOrDefault(login, person))) {
                break;
            }
            for (Proof proof : login.proofs()) {
                boolean brokered = proof.person() == null && linked.test(proof.identity(), person);
                if (brokered || person.equals(proof.person())) {
                    signedIn |= counts && (brokered ? needsNoProof.test(proof.identity(), person) : proof.signsIn());
                    everInSession.addAll(proof.methods());
                    if (counts) {
                        methods.addAll(proof.methods());
                    }
                }
            }
            counts &= !login.request().forced();
        }
        return new PermittedClaims(signedIn, methods, everInSession);
    }
}
