package io.github.checktoken.introspection.token;

import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;

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
}
