package io.github.checktoken.client;

/** The token could not be checked, or its answer may not be used. The message has no token, secret or identity in it. */
public final class CheckTokenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    CheckTokenException(Reason reason) {
        this(reason, "");
    }

    /** @param detail a status, or the kind of failure: nothing that was received */
    CheckTokenException(Reason reason, String detail) {
        super(reason.id() + (detail.isEmpty() ? "" : " (" + detail + ")") + ": " + reason.advice());
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
