package io.github.checktoken.login.gate;

import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.events.Event;
import org.keycloak.events.EventType;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionProvider;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.UserEventListener;
import org.jboss.logging.Logger;

/**
 * Binds the other tabs of the browser to the user session of a login, when Keycloak reports the login and before it
 * issues a code. If the session id is in use for another user all the same, the old sessions end.
 */
record SessionIdListener(KeycloakSession session) implements UserEventListener {

    private static final Logger logger = Logger.getLogger(SessionIdListener.class);

    @Override
    public void onEvent(Event event) {
        RealmModel realm = session.getContext().getRealm();
        if (event.getType() != EventType.LOGIN
                || event.getSessionId() == null
                || !new LoginGuard(session).isOn(realm)) {
            return;
        }
        UserSessionModel userSession = session.sessions().getUserSession(realm, event.getSessionId());
        if (userSession == null) {
            // The session is transient, so nothing refers to its id.
            return;
        }
        endOfflineSessionOfFormerUser(userSession, event.getClientId());
        root(userSession)
                .map(root -> new SessionIdBinding(session, root))
                .ifPresent(binding -> bind(binding, userSession));
    }

    private void bind(SessionIdBinding binding, UserSessionModel userSession) {
        if (binding.isUsedUp()) {
            // Another browser has got this session during this request. What the login issues will belong to no
            // session.
            logger.warnf("Session %s was in use in another browser, so it ends", userSession.getId());
            session.sessions().removeUserSession(userSession.getRealm(), userSession);
        } else {
            binding.bind(userSession);
        }
    }

    /** A login with an offline token would continue an offline session that has the id of its session. */
    private void endOfflineSessionOfFormerUser(UserSessionModel userSession, String clientId) {
        if (!requestsOfflineToken(userSession, clientId)) {
            return;
        }
        UserSessionProvider sessions = session.sessions();
        RealmModel realm = userSession.getRealm();
        UserSessionModel offline = sessions.getOfflineUserSession(realm, userSession.getId());
        if (offline != null && !userSession.getUser().equals(offline.getUser())) {
            sessions.removeOfflineUserSession(realm, offline);
        }
    }

    private static boolean requestsOfflineToken(UserSessionModel userSession, String clientId) {
        AuthenticatedClientSessionModel clientSession = Optional.ofNullable(
                        userSession.getRealm().getClientByClientId(clientId))
                .map(client -> userSession.getAuthenticatedClientSessionByClient(client.getId()))
                .orElse(null);
        return clientSession != null
                && TokenUtil.hasScope(clientSession.getNote(OAuth2Constants.SCOPE), OAuth2Constants.OFFLINE_ACCESS);
    }

    /** @return empty if single sign-on has continued a session with another id and no tab of that session is open */
    private Optional<RootAuthenticationSessionModel> root(UserSessionModel userSession) {
        AuthenticationSessionModel authSession = session.getContext().getAuthenticationSession();
        return Optional.ofNullable(authSession)
                .map(AuthenticationSessionModel::getParentSession)
                .filter(root -> root.getId().equals(userSession.getId()))
                .or(() -> Optional.ofNullable(session.authenticationSessions()
                        .getRootAuthenticationSession(userSession.getRealm(), userSession.getId())));
    }
}
