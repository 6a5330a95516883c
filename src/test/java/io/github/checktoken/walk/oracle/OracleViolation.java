package io.github.checktoken.walk.oracle;

/**
 * An answer that reports more than the oracle permits, something that was done without the proof for it, or something
 * that must succeed and has failed ({@link Grant}).
 */
public record OracleViolation(Kind kind, String description) {

    public enum Kind {
        SIGNED_IN_WITHOUT_PROOF,
        METHOD_NOT_PROVED,
        LEVEL_NOT_REACHED,
        LINKED_WITHOUT_PROOF,
        CREDENTIAL_CHANGED_WITHOUT_PROOF,
        MORE_CODES_THAN_ALLOWED,
        /** A login in one browser got into the session of another browser. */
        SESSION_OF_ANOTHER_BROWSER,
        SESSION_ENDED_BY_ANOTHER_BROWSER,
        NOT_GRANTED
    }
}
