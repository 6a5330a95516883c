package io.github.checktoken.method;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One method that a person has used.
 *
 * @param method its value in {@code amr}; an administrator's own reference may be none of {@link AuthenticationMethod}
 * @param multiFactor whether this one use proved two categories, as a passkey with user verification does
 * @param time of the login, in seconds since the epoch
 * @param maxAge for how long it counts, in seconds; {@link #AS_LONG_AS_THE_SESSION} when nothing limits it
 */
public record MethodUse(
        @JsonProperty("amr") String method,
        @JsonProperty("mfa") boolean multiFactor,
        @JsonProperty("time") long time,
        @JsonProperty("max") long maxAge) {

    public static final long AS_LONG_AS_THE_SESSION = -1;

    /** As {@code AmrUtils.isAmrValid} of Keycloak has it: at its very end a use still counts. */
    boolean countsAt(long now) {
        return maxAge == AS_LONG_AS_THE_SESSION || now <= time + maxAge;
    }

    /** A later use of the same kind takes the place of this one. */
    boolean isSameKind(MethodUse other) {
        return method.equals(other.method) && multiFactor == other.multiFactor;
    }
}
