package io.github.checktoken.fuzz;

/**
 * What the fuzzing cases test, and how many of each thousand cases each target gets. The cases from {@link #TOKENS} on
 * call a server.
 */
public enum FuzzTarget {
    /** The {@code claims} parameter. */
    CLAIMS(120),
    /** Settings of the amr mapper. */
    AMR_SETTINGS(70),
    /** Session notes of another version. */
    NOTES(40),
    /** {@code amr} of an identity provider, with the settings of its mapper. */
    UPSTREAM_AMR(130),
    /** JWK Sets. Each usable key is tried. */
    JWK_SETS(20),
    /** Settings of the Data provider mapper. */
    DATA_PROVIDER_SETTINGS(40),
    /** Identity data with and without values. */
    IDENTITY_DATA(80),
    /** Names that are written into a mail. */
    MAIL_TEXT(100),
    /** E-mail addresses. */
    ADDRESSES(40),
    /** Guesses at a code. */
    CODES(20),
    PINS(100),
    /** Settings that are numbers. */
    NUMBERS(40),

    /** Tokens, most of them signed with the realm's own key. */
    TOKENS(120),
    /** Forms, well-formed and broken. */
    FORMS(60),
    /** Paths and headers. */
    HEADS(12),
    /** The {@code claims} parameter at the token endpoint. */
    TOKEN_REQUESTS(6),
    /** Data providers with strange settings. Each case makes four calls. */
    DATA_PROVIDERS(2);

    private final int perMille;

    FuzzTarget(int perMille) {
        this.perMille = perMille;
    }

    /** Whether a case calls a server. */
    boolean isCall() {
        return compareTo(TOKENS) >= 0;
    }

    int of(int cases) {
        return Math.toIntExact((long) cases * perMille / 1000);
    }
}
