package io.github.checktoken.keycloak;

import org.keycloak.common.Profile;
import org.keycloak.models.ClientModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionModel.SessionPersistenceState;
import org.keycloak.models.UserSessionProvider;
import org.keycloak.models.session.UserSessionPersisterProvider;

/**
 * Asks the database whether a session that Keycloak still finds has ended.
 *
 * <p>Keycloak ends a session in its cache before the deletion in the database is committed. A request in between does not
 * find the session in the cache, reads it from the database and puts it back, where it then stays. The database is right:
 * a session is stored there before anybody gets a token or a cookie of it.
 */
public final class EndedUserSession {

    /** Keycloak's own provider of user sessions; nothing of another one's sessions is in Keycloak's tables. */
    private static final String PROVIDER_ID = "infinispan";

    private EndedUserSession() {}

    /**
     * If it has ended, Keycloak's cache loses it when this request is over, so that Keycloak's own endpoints end it, too.
     *
     * @param userSession online, offline, or a transient copy of one
     * @throws RuntimeException if the database cannot be asked
     */
    public static boolean hasEnded(KeycloakSession session, RealmModel realm, UserSessionModel userSession) {
        boolean offline = isOffline(userSession);
        boolean ended = isStored(session, userSession, offline)
                && persister(session).loadUserSession(realm, userSession.getId(), offline) == null;
        if (ended && !isTransient(userSession)) {
            EndedSessionRemoval.ofUserSession(session, realm, userSession);
        }
        return ended;
    }

    /**
     * Whether it has ended for the tokens of this client. If a refresh token is revoked and other clients use the session,
     * only what the client has of it ends.
     *
     * @throws RuntimeException if the database cannot be asked
     */
    public static boolean hasEnded(
            KeycloakSession session, RealmModel realm, UserSessionModel userSession, ClientModel client) {
        return hasEnded(session, realm, userSession) || hasClientSessionEnded(session, realm, userSession, client);
    }

    private static boolean hasClientSessionEnded(
            KeycloakSession session, RealmModel realm, UserSessionModel userSession, ClientModel client) {
        boolean offline = userSession.isOffline();
        boolean ended = !isTransient(userSession)
                && isStored(session, userSession, offline)
                && userSession.getAuthenticatedClientSessionByClient(client.getId()) != null
                && persister(session).loadClientSession(realm, client, userSession, offline) == null;
        if (ended) {
            EndedSessionRemoval.ofClientSession(session, realm, userSession, client);
        }
        return ended;
    }

    private static boolean isStored(KeycloakSession session, UserSessionModel userSession, boolean offline) {
        return PROVIDER_ID.equals(session.getKeycloakSessionFactory()
                        .getProviderFactory(UserSessionProvider.class)
                        .getId())
                && (offline || Profile.isFeatureEnabled(Profile.Feature.PERSISTENT_USER_SESSIONS))
                && (!isTransient(userSession) || userSession.getNote(Constants.CREATED_FROM_PERSISTENT) != null);
    }

    private static boolean isTransient(UserSessionModel userSession) {
        return userSession.getPersistenceState() == SessionPersistenceState.TRANSIENT;
    }

    private static boolean isOffline(UserSessionModel userSession) {
        return userSession.isOffline()
                || Constants.CREATED_FROM_PERSISTENT_OFFLINE.equals(
                        userSession.getNote(Constants.CREATED_FROM_PERSISTENT));
    }

    private static UserSessionPersisterProvider persister(KeycloakSession session) {
        return session.getProvider(UserSessionPersisterProvider.class);
    }
}
