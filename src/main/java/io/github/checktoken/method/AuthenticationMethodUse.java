package io.github.checktoken.method;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One use of an authentication method by a user.
 *
 * @param method the value in {@code amr}; an Authenticator Reference may be a value that is not in
 *     {@link AuthenticationMethod}
 * @param multiFactor whether this one use proved two kinds of factor, as a passkey with user verification does
 * @param time when the method was used, in seconds since the epoch
 * @param maxAge how long the use is valid, in seconds; {@link #AS_LONG_AS_THE_SESSION} if only the session limits it
 */
public record AuthenticationMethodUse(
        @JsonProperty("amr") String method,
        @JsonProperty("mfa") boolean multiFactor,
        @JsonProperty("time") long time,
        @JsonProperty("max") long maxAge) {

    public static final long AS_LONG_AS_THE_SESSION = -1;

    /**
     * Whether the max age has not passed. Its last second is still valid, as in Keycloak's {@code AmrUtils.isAmrValid}.
     */
    boolean isValidAt(long now) {
        return maxAge == AS_LONG_AS_THE_SESSION || now <= time + maxAge;
    }

    /** Whether the other use replaces this one if it is later. */
    boolean isSameKind(AuthenticationMethodUse other) {
        return method.equals(other.method) && multiFactor == other.multiFactor;
    }
}
