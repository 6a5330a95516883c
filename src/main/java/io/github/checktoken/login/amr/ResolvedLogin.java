package io.github.checktoken.login.amr;

import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;

/**
 * The login that was found for a token.
 *
 * @param omission why {@code amr} cannot be told; null if it can be, or if nothing asked for it
 */
record ResolvedLogin(RecordedLogin login, AmrOmission omission) {

    static ResolvedLogin of(RecordedLogin login) {
        return new ResolvedLogin(
                login, login.amrClaim() == AmrClaimRequest.AMBIGUOUS ? AmrOmission.LOGINS_AMBIGUOUS : null);
    }

    /**
     * @param clientSession has the parameters of the last request. If no login is found, they are the only hint whether
     *     {@code amr} was asked for
     */
    static ResolvedLogin of(Optional<RecordedLogin> login, AuthenticatedClientSessionModel clientSession) {
        return login.map(ResolvedLogin::of)
                .orElseGet(() ->
                        unknown(clientSession.getNote(OIDCLoginProtocol.CLAIMS_PARAM), AmrOmission.LOGIN_NOT_FOUND));
    }

    /**
     * @param claims the parameter that shows whether {@code amr} was asked for; may be null
     * @param omission why no login can be told
     */
    static ResolvedLogin unknown(String claims, AmrOmission omission) {
        boolean asked = AmrClaimRequest.parse(claims) == AmrClaimRequest.ESSENTIAL;
        return new ResolvedLogin(RecordedLogin.UNKNOWN, asked ? omission : null);
    }

    /** @return this login, or an unknown one if it is somebody else's */
    ResolvedLogin ofUser(String userId) {
        return login.canBeOf(userId) ? this : new ResolvedLogin(RecordedLogin.UNKNOWN, AmrOmission.OTHER_PERSON);
    }
}
