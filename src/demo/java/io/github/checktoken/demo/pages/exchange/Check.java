package io.github.checktoken.demo.pages.exchange;

/**
 * A check of an answer, in the words of the data provider guide.
 *
 * @param expected what the data provider expects; empty if the check was not reached
 * @param found what the answer has
 */
public record Check(Name name, String expected, String found, Result result) {

    /** The checks, in the order in which a data provider makes them. */
    public enum Name {
        STATUS,
        TYPE,
        DECRYPTION,
        SIGNATURE,
        TYP,
        ISS,
        AUD,
        IAT,
        ACTIVE,
        SCOPE,
        IDENTITY
    }

    public enum Result {
        PASSED,
        FAILED,
        NOT_REACHED
    }
}
