package io.github.checktoken.introspection.dataprovider;

import java.util.Locale;

/** Why a claim is left out of an answer. */
enum OmissionCause {
    TOO_DEEP("it is nested deeper than " + UnusableClaimFilter.MAX_DEPTH + " levels"),
    /** JSON has no infinite numbers, and the JDK reads {@code 1e400} as one. */
    NOT_FINITE("it has a number that is too large"),
    NO_TEXT("it is no text"),
    NO_LIST("it is no list of texts"),
    GENDER("it is neither male nor female"),
    BIRTHDATE("it is no date YYYY-MM-DD"),
    BIRTHPLACE("it is no code of a commune"),
    BORN_ABROAD("birthcountry is not France (99100), where communes are"),
    BIRTHCOUNTRY("it is no code of a country");

    private final String reason;

    OmissionCause(String reason) {
        this.reason = reason;
    }

    /** @return in English, for logs and administrators */
    String reason() {
        return reason;
    }

    /** The meter's reason. */
    String meterReason() {
        return name().toLowerCase(Locale.ROOT);
    }
}
