package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.models.ClientModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;
import org.keycloak.services.managers.AuthenticationManager;

import io.github.checktoken.keycloak.ClientSessionLevel;

/**
 * An access token that Keycloak found valid.
 *
 * @param token the token as it was issued to the service provider
 * @param acr the authentication context class reference, a name of the realm; null if no level is known, and for a
 *     service account
 * @param userSession the session of the user or service account; a transient one if the token has no session
 * @param lastLogin when the user had signed in for the service provider's last login in this session, in seconds since the
 *     epoch; null if it is not known
 */
public record ActiveToken(AccessToken token, String acr, UserSessionModel userSession, Long lastLogin) {

    /** @param serviceProvider the client to which the token was issued */
    static ActiveToken of(AccessToken token, String acr, UserSessionModel userSession, ClientModel serviceProvider) {
        Optional<Long> lastLogin = Optional.ofNullable(
                        userSession.getAuthenticatedClientSessionByClient(serviceProvider.getId()))
                .flatMap(ClientSessionLevel::authTime);
        return new ActiveToken(token, acr, userSession, lastLogin.orElse(null));
    }

    /** The token's scopes, separated by single spaces; empty if it has none. */
    public String scope() {
        return token.getScope() == null ? "" : token.getScope();
    }

    /**
     * When the person signed in for this token. A mapper may have set the token's claim, and a refresh sets it to a later
     * login at another service provider. So it is not believed if it is later than the last login.
     *
     * @return seconds since the epoch; null if it is not known: without a level nobody may have signed in for this token,
     *     and a session with a later login no longer says when the earlier one was
     */
    public Long authTime() {
        String last = userSession.getNote(AuthenticationManager.AUTH_TIME);
        if (acr == null || last == null) {
            return null;
        }
        long time = lastLogin == null ? Long.parseLong(last) : Math.min(lastLogin, Long.parseLong(last));
        long ofToken = token.getAuth_time() == null ? time : Math.min(token.getAuth_time(), time);
        return ofToken <= token.getIat() ? ofToken : null;
    }
}
