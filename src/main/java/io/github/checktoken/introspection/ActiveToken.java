package io.github.checktoken.introspection;

import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;

/**
 * An access token that Keycloak found valid.
 *
 * @param token what the service provider was given
 * @param acr the authentication context class reference; null when Keycloak maps none, and of a service account
 * @param userSession the person's or service account's session; a transient one for a token without a session
 */
record ActiveToken(AccessToken token, String acr, UserSessionModel userSession) {

    /** The token's scopes, separated by single spaces; empty when it has none. */
    String scope() {
        return token.getScope() == null ? "" : token.getScope();
    }
}
