package io.github.checktoken.walk.oracle;

/** An answer that reports more than the oracle permits, or something that was done without the proof for it. */
public record OracleViolation(Kind kind, String description) {

    public enum Kind {
        SIGNED_IN_WITHOUT_PROOF,
        METHOD_NOT_PROVED,
        LEVEL_NOT_REACHED,
        LINKED_WITHOUT_PROOF,
        CREDENTIAL_CHANGED_WITHOUT_PROOF,
        MORE_CODES_THAN_ALLOWED
    }
}
