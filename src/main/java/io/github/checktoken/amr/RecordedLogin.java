package io.github.checktoken.amr;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.method.AuthenticationMethods;

/**
 * What is recorded about one login of a client. It decides about {@code amr} in the ID tokens of this login.
 *
 * @param amrClaim whether the client requested {@code amr}
 * @param methods the methods of the single sign-on session at the end of the login
 */
record RecordedLogin(
        @JsonProperty("asked") AmrClaimRequest amrClaim,
        @JsonProperty("methods") AuthenticationMethods methods) {

    /** Used if no login is found. It counts as one that did not request {@code amr}. */
    static final RecordedLogin UNKNOWN = new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
}
