package io.github.checktoken.demo.pages.town;

/** Tells why nobody is signed in, and what the page can show about it. */
public final class SignInFailed extends Exception {

    /** What went wrong. */
    public enum Reason {
        /** The answer is no answer of OpenID Connect. */
        MALFORMED,
        /** The visitor has not begun this sign-in. */
        UNKNOWN_STATE,
        /** The platform answers with an error instead of a code. */
        ERROR,
        /** The platform does not exchange the code for tokens. */
        NO_TOKENS,
        /** The ID token is not what the town hall may accept. */
        INVALID_ID_TOKEN
    }

    private final Reason reason;

    /** @param details the words of the platform or of the library; empty if there are none */
    SignInFailed(Reason reason, String details) {
        super(details == null ? "" : details);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
