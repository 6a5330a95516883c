package io.github.checktoken.introspection.token;

import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.managers.AuthenticationManager;

/**
 * An access token that Keycloak found valid.
 *
 * @param token the token as it was issued to the service provider
 * @param acr the authentication context class reference, a name of the realm; null if no level is known, and for a
 *     service account
 * @param userSession the session of the user or service account; a transient one if the token has no session
 */
public record ActiveToken(AccessToken token, String acr, UserSessionModel userSession) {

    /** The token's scopes, separated by single spaces; empty if it has none. */
    public String scope() {
        return token.getScope() == null ? "" : token.getScope();
    }

    /**
     * When the person signed in for this token. A mapper may have set the token's claim, so it is not believed if it is
     * later than the last login of the session.
     *
     * @return seconds since the epoch; null if it is not known: without a level nobody may have signed in for this token,
     *     and a session with a later login no longer says when the earlier one was
     */
    public Long authTime() {
        String last = userSession.getNote(AuthenticationManager.AUTH_TIME);
        if (acr == null || last == null) {
            return null;
        }
        long time = Long.parseLong(last);
        long ofToken = token.getAuth_time() == null ? time : Math.min(token.getAuth_time(), time);
        return ofToken <= token.getIat() ? ofToken : null;
    }
}
