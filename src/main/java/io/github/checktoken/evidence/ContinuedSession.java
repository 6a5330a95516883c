package io.github.checktoken.evidence;

import java.util.List;
import java.util.Optional;

import org.keycloak.TokenVerifier;
import org.keycloak.cookie.CookieProvider;
import org.keycloak.cookie.CookieType;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserSessionModel;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

/**
 * The single sign-on session that a login continues: the one whose identity cookie the browser has sent with this request.
 *
 * <p>A session has the id of its root authentication session, and Keycloak attaches a login to the session with that id also
 * without the cookie ({@code AuthenticationProcessor.attachSession}). Without it nobody has asked whether this browser still
 * is the person's, nor has Keycloak looked at {@code max_age}.
 */
public final class ContinuedSession {

    private ContinuedSession() {}

    public static Optional<UserSessionModel> of(KeycloakSession session, AuthenticationSessionModel authSession) {
        String cookie = session.getProvider(CookieProvider.class).get(CookieType.IDENTITY);
        if (cookie == null) {
            return Optional.empty();
        }
        KeycloakContext context = session.getContext();
        UserSessionModel former = context.getUserSession();
        AuthenticationManager.AuthResult verified = AuthenticationManager.verifyIdentityToken(
                session,
                authSession.getRealm(),
                context.getUri(),
                context.getConnection(),
                true,
                false,
                null,
                true,
                cookie,
                context.getRequestHeaders(),
                verifier -> verifier.withChecks(
                        new TokenVerifier.TokenTypeCheck(List.of(TokenUtil.TOKEN_TYPE_KEYCLOAK_ID))));
        // Keycloak has put the session of the cookie there.
        context.setUserSession(former);
        return Optional.ofNullable(verified)
                .map(AuthenticationManager.AuthResult::session)
                .filter(continued ->
                        continued.getId().equals(authSession.getParentSession().getId()));
    }
}
