package io.github.checktoken.walk.oracle;

import java.util.List;

import io.github.checktoken.walk.browser.Request;

/** A login that ended with a code, with the proofs that it had at that moment. */
public final class IssuedCode {

    private final Login login;
    private final List<Proof> proofs;
    private final IssuedCode before;
    private final IssuedCode beforeLateAnswer;
    private Request request;

    /**
     * @param request the request that the code seems to answer
     * @param before the login whose session it continues; null if there is none
     * @param beforeLateAnswer the same at the time of the request, if its answer came late; otherwise null
     */
    IssuedCode(Request request, Login login, List<Proof> proofs, IssuedCode before, IssuedCode beforeLateAnswer) {
        this.request = request;
        this.login = login;
        this.proofs = proofs;
        this.before = before;
        this.beforeLateAnswer = beforeLateAnswer;
    }

    public Request request() {
        return request;
    }

    /** Whether it continues the session as it was before or after what the browser did at the same moment. */
    boolean continuesEither() {
        return login.proofs().isEmpty() && beforeLateAnswer != null;
    }

    /** @param answered the request with the nonce of the ID token */
    public void answers(Request answered) {
        request = answered;
    }

    Login login() {
        return login;
    }

    List<Proof> proofs() {
        return proofs;
    }

    IssuedCode before() {
        return before;
    }

    IssuedCode beforeLateAnswer() {
        return beforeLateAnswer;
    }

    /** @return the login that began the session */
    IssuedCode first() {
        return before == null ? this : before.first();
    }

    /** @return for the report: the last steps of the login, and of the one before */
    public String lastSteps() {
        String steps = login.lastSteps().isEmpty() ? "single sign-on" : login.lastSteps();
        return before == null ? steps : before.login().lastSteps() + " | " + steps;
    }
}
