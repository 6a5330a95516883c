package io.github.checktoken.login.evidence;

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

import io.github.checktoken.keycloak.EndedUserSession;

/**
 * Finds the single sign-on session that a login continues: the one whose identity cookie the browser has sent with this
 * request.
 *
 * <p>A user session has the id of its root authentication session, and Keycloak attaches a login to the user session
 * with that id even if the browser has not sent the cookie ({@code AuthenticationProcessor.attachSession}). But without
 * the cookie nothing shows that the user of that session is still at this browser, and Keycloak has not checked
 * {@code max_age}.
 */
public final class ContinuedUserSession {

    private ContinuedUserSession() {}

    /** As {@link #of}, but a session that has ended although Keycloak still finds it is not continued. */
    static Optional<UserSessionModel> unlessEnded(KeycloakSession session, AuthenticationSessionModel authSession) {
        return of(session, authSession)
                .filter(found -> !EndedUserSession.hasEnded(session, authSession.getRealm(), found));
    }

    /**
     * The session may have another id than the root authentication session: after a restart Keycloak creates a new one.
     *
     * @return empty if the cookie is missing or is not valid
     */
    public static Optional<UserSessionModel> of(KeycloakSession session, AuthenticationSessionModel authSession) {
        String cookie = session.getProvider(CookieProvider.class).get(CookieType.IDENTITY);
        if (cookie == null) {
            return Optional.empty();
        }
        KeycloakContext context = session.getContext();
        UserSessionModel previous = context.getUserSession();
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
                context.getHttpRequest().getHttpHeaders(),
                verifier -> verifier.withChecks(
                        new TokenVerifier.TokenTypeCheck(List.of(TokenUtil.TOKEN_TYPE_KEYCLOAK_ID))));
        // verifyIdentityToken has set the cookie's session here.
        context.setUserSession(previous);
        return Optional.ofNullable(verified).map(AuthenticationManager.AuthResult::session);
    }
}
