package io.github.checktoken.walk;

/** An answer above the oracle's. */
record Wrong(Kind kind, String description) {

    enum Kind {
        SIGNED_IN_WITHOUT_PROOF,
        METHOD_NOT_PROVED,
        LEVEL_NOT_REACHED
    }
}
