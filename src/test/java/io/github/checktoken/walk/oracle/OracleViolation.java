package io.github.checktoken.walk.oracle;

/** An answer that reports more than the oracle permits. */
public record OracleViolation(Kind kind, String description) {

    public enum Kind {
        SIGNED_IN_WITHOUT_PROOF,
        METHOD_NOT_PROVED,
        LEVEL_NOT_REACHED
    }
}
