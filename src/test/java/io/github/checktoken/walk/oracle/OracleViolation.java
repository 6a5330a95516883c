package io.github.checktoken.walk.oracle;

/** An answer above the oracle's. */
public record OracleViolation(Kind kind, String description) {

    public enum Kind {
        SIGNED_IN_WITHOUT_PROOF,
        METHOD_NOT_PROVED,
        LEVEL_NOT_REACHED
    }
}
