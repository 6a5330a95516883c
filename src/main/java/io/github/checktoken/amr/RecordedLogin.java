package io.github.checktoken.amr;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.method.AuthenticationMethods;

/**
 * One login, as its client asked for it.
 *
 * @param methods of the single sign-on session when the login ended
 */
record RecordedLogin(
        @JsonProperty("asked") AmrClaimRequest amrClaim,
        @JsonProperty("methods") AuthenticationMethods methods) {

    /** What is not known to have been asked is not answered. */
    static final RecordedLogin UNKNOWN = new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
}
