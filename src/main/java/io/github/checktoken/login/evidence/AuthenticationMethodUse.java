package io.github.checktoken.login.evidence;

import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One use of an authentication method by a user.
 *
 * @param method the value in {@code amr}; an Authenticator Reference may be a value that is not in
 *     {@link AuthenticationMethod}
 * @param multiFactor whether this one use proved two kinds of factor, as a passkey with user verification does
 * @param time when the method was used, in seconds since the epoch
 * @param maxAge how long the use is valid, in seconds; {@link #AS_LONG_AS_THE_SESSION} if only the session limits it
 * @param credential Keycloak's type of the credential that was used here; null if there was none or if it is not known,
 *     such as for a method that an identity provider reports and in a note of an earlier version
 */
public record AuthenticationMethodUse(
        @JsonProperty("amr") String method,
        @JsonProperty("mfa") boolean multiFactor,
        @JsonProperty("time") long time,
        @JsonProperty("max") long maxAge,
        @JsonProperty("credential") String credential) {

    public static final long AS_LONG_AS_THE_SESSION = -1;

    /** A use without a known credential. */
    public AuthenticationMethodUse(String method, boolean multiFactor, long time, long maxAge) {
        this(method, multiFactor, time, maxAge, null);
    }

    /**
     * What was proved: the method of the credential that was used. An Authenticator Reference replaces the value in
     * {@code amr}, but it cannot make a password another factor. Only if no known credential was used, the value decides.
     *
     * @return empty if neither is known
     */
    Optional<AuthenticationMethod> proved() {
        return CredentialTypes.method(credential).or(() -> AuthenticationMethod.of(method));
    }

    /**
     * Whether the max age has not passed. Its last second is still valid, as in Keycloak's {@code AmrUtils.isAmrValid}.
     */
    boolean isValidAt(long now) {
        return maxAge == AS_LONG_AS_THE_SESSION || now <= time + maxAge;
    }

    /** Whether the other use replaces this one if it is later. */
    boolean isSameKind(AuthenticationMethodUse other) {
        return method.equals(other.method)
                && multiFactor == other.multiFactor
                && Objects.equals(credential, other.credential);
    }
}
