package io.github.checktoken.login.amr;

import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.checktoken.login.evidence.AuthenticationMethods;

/**
 * What is recorded about one login of a client. It decides about {@code amr} and {@code acr} in the tokens of this login.
 *
 * @param user id of the person who signed in; null in notes of earlier versions, and if there is no person
 * @param level the level of authentication that counts for this login; 0 for single sign-on without a level; null if no
 *     level is known
 * @param requestedAcr the {@code acr} value of the request that the level satisfied; null if there was none
 * @param amrClaim whether the client requested {@code amr}
 * @param methods the methods of the single sign-on session at the end of the login that count for this login
 */
record RecordedLogin(
        @JsonProperty("user") String user,
        @JsonProperty("level") Integer level,
        @JsonProperty("acr") String requestedAcr,
        @JsonProperty("asked") AmrClaimRequest amrClaim,
        @JsonProperty("methods") AuthenticationMethods methods) {

    /** Used if no login is found. It counts as one that did not request {@code amr}. */
    static final RecordedLogin UNKNOWN =
            new RecordedLogin(null, null, null, AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);

    /** A login that has no level, such as a client's own. */
    RecordedLogin(AmrClaimRequest amrClaim, AuthenticationMethods methods) {
        this(null, null, null, amrClaim, methods);
    }

    /** Whether this is not known to be the login of somebody else. */
    boolean canBeOf(String userId) {
        return user == null || user.equals(userId);
    }

    /** Whether a refresh token has to remember this login. */
    boolean isTold() {
        return level != null || amrClaim != AmrClaimRequest.NOT_REQUESTED;
    }

    RecordedLogin withoutLevel() {
        return new RecordedLogin(user, null, null, amrClaim, methods);
    }

    /** @return what this login and another one have in common, for codes that cannot be told apart */
    RecordedLogin inCommonWith(RecordedLogin other) {
        if (!Objects.equals(user, other.user)) {
            return new RecordedLogin(AmrClaimRequest.AMBIGUOUS, AuthenticationMethods.NONE);
        }
        boolean sameAmr = amrClaim == other.amrClaim && methods.equals(other.methods);
        boolean silent = amrClaim == other.amrClaim && amrClaim == AmrClaimRequest.NOT_REQUESTED;
        return new RecordedLogin(
                user,
                Objects.equals(level, other.level) ? level : null,
                Objects.equals(requestedAcr, other.requestedAcr) ? requestedAcr : null,
                sameAmr || silent ? amrClaim : AmrClaimRequest.AMBIGUOUS,
                sameAmr ? methods : AuthenticationMethods.NONE);
    }
}
