package io.github.checktoken.walk.oracle;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import io.github.checktoken.walk.browser.Request;

/**
 * Says what an answer may report at most. It knows what was proved for whom and when. It asks Keycloak only which
 * identities are linked, and does not use this project's main code.
 */
public final class Oracle {

    private final BiPredicate<Identity, String> linked;
    private final BiPredicate<Identity, String> needsNoProof;
    private final Map<IssuedCode, String> persons = new IdentityHashMap<>();
    private final List<IssuedCode> sessionsWithoutCookie = new ArrayList<>();
    private IssuedCode session;
    private IssuedCode sessionOfLateAnswer;
    private Login unanswered;
    private List<Proof> provedBeforeUnanswered = List.of();

    /**
     * @param linked whether an identity belongs to a person now
     * @param needsNoProof whether the first login of an identity may sign this person in without a proof by the person
     */
    public Oracle(BiPredicate<Identity, String> linked, BiPredicate<Identity, String> needsNoProof) {
        this.linked = linked;
        this.needsNoProof = needsNoProof;
    }

    /** Records that a code was issued. Only its ID token will show for whom. */
    public IssuedCode issued(Request request, Login login) {
        session = approved(request, login);
        return session;
    }

    /**
     * Records that a code was issued while the browser did something else, too. It begins no session.
     *
     * @param earlier the newest login of the session in which it was asked for; null if there was none
     */
    public IssuedCode issuedBeside(Request request, Login login, IssuedCode earlier) {
        return new IssuedCode(request, login, ofUnanswered(), session == null ? earlier : session, earlier);
    }

    /** Records that a person has approved something in a login, which need not begin a session of the browser. */
    public IssuedCode approved(Request request, Login login) {
        List<Proof> proofs = new ArrayList<>(login.proofs());
        proofs.addAll(ofUnanswered());
        return new IssuedCode(
                request, login, proofs, session == null ? login.startedIn() : session, sessionOfLateAnswer);
    }

    /**
     * Records that the browser does not wait for the answer to a form. The server may begin a session meanwhile, which
     * the browser's next request continues. What was proved when the form was sent counts, although the requests that
     * come after it may change the person.
     *
     * @param login null if there is no such form any more
     */
    public void unanswered(Login login) {
        unanswered = login;
        provedBeforeUnanswered = login == null ? List.of() : login.proofs();
        sessionOfLateAnswer = null;
    }

    private List<Proof> ofUnanswered() {
        List<Proof> proofs = new ArrayList<>(provedBeforeUnanswered);
        if (unanswered != null) {
            proofs.addAll(unanswered.proofs());
        }
        return proofs;
    }

    /** @return the newest login of the session; null if there is no session */
    public IssuedCode session() {
        return session;
    }

    /**
     * Records that the answer to a form comes late: the form was sent in this session. If there is no session now, it goes
     * on; there may also be another one.
     */
    public void answeredLate(IssuedCode earlier) {
        sessionOfLateAnswer = earlier;
        session = session == null ? earlier : session;
    }

    public boolean hasSession() {
        return session != null;
    }

    /** @return the person of the session, if an ID token has shown it; otherwise null */
    public String person() {
        return session == null ? null : persons.get(session);
    }

    /** Records that the cookie of the session was removed. The session itself may go on, as after a registration page. */
    public void cookieRemoved() {
        if (session != null) {
            sessionsWithoutCookie.add(session);
        }
        session = null;
    }

    /**
     * @return what the person has proved in the session of a code, also later, or in the current session: the level
     *     depends on it, even at a refresh
     */
    public Set<String> inSession(IssuedCode issue, String person) {
        Set<String> methods = new TreeSet<>();
        Stream.concat(
                        sessionsWithoutCookie.stream().filter(ended -> ended.first() == issue.first()),
                        Stream.ofNullable(session))
                .forEach(login -> methods.addAll(allowance(login, person, false).everInSession()));
        ofUnanswered().stream()
                .filter(proof -> person.equals(proof.person()))
                .forEach(proof -> methods.addAll(proof.methods()));
        return methods;
    }

    /** Whether the person has proved anything in this login, or in the session that it continues. */
    public boolean hasProved(Login login, String person) {
        return isProvedIn(login.proofs(), person)
                || isProvedIn(ofUnanswered(), person)
                || isSignedIn(session, person)
                || isSignedIn(login.startedIn(), person);
    }

    /** Whether the person has proved anything, and not last in a way that does not ask about an identity. */
    public boolean mayAgreeToLink(Login login, String person) {
        return hasProved(login, person) && !login.isNotAsked(person);
    }

    private boolean isProvedIn(List<Proof> proofs, String person) {
        return proofs.stream()
                .anyMatch(proof -> person.equals(proof.person())
                        || proof.person() == null
                                && linked.test(proof.identity(), person)
                                && needsNoProof.test(proof.identity(), person));
    }

    private boolean isSignedIn(IssuedCode issue, String person) {
        return issue != null && allowance(issue, person, false).signedIn();
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
        for (IssuedCode login = issue; login != null; login = before(login, person)) {
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
        if (issue.continuesEither()) {
            PermittedClaims earlier = allowance(issue.beforeLateAnswer(), person, false);
            signedIn |= earlier.signedIn();
            methods.addAll(earlier.values());
            everInSession.addAll(earlier.everInSession());
        }
        return new PermittedClaims(signedIn, methods, everInSession);
    }

    private IssuedCode before(IssuedCode login, String person) {
        IssuedCode before = login.before();
        return before != null && !person.equals(persons.getOrDefault(before, person))
                ? login.beforeLateAnswer()
                : before;
    }
}
