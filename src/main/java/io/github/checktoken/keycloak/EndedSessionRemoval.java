package io.github.checktoken.keycloak;

import java.util.function.BiConsumer;

import org.keycloak.models.AbstractKeycloakTransaction;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.session.UserSessionPersisterProvider;
import org.keycloak.models.utils.KeycloakModelUtils;

/**
 * Takes a session that has ended out of Keycloak's cache, in a transaction of its own after the request's. Within the
 * request, Keycloak could mix it with a new session that gets the same id. The database is asked once more, because a
 * login may have created that one meanwhile.
 */
final class EndedSessionRemoval {

    private EndedSessionRemoval() {}

    static void ofUserSession(KeycloakSession session, RealmModel realm, UserSessionModel userSession) {
        enlist(session, realm, (own, ownRealm) -> {
            if (persister(own).loadUserSession(ownRealm, userSession.getId(), userSession.isOffline()) != null) {
                return;
            }
            if (userSession.isOffline()) {
                own.sessions().removeOfflineUserSession(ownRealm, userSession);
            } else {
                own.sessions().removeUserSession(ownRealm, userSession);
            }
        });
    }

    static void ofClientSession(
            KeycloakSession session, RealmModel realm, UserSessionModel userSession, ClientModel client) {
        boolean offline = userSession.isOffline();
        enlist(session, realm, (own, ownRealm) -> {
            if (persister(own).loadClientSession(ownRealm, client, userSession, offline) != null) {
                return;
            }
            AuthenticatedClientSessionModel cached = own.sessions().getClientSession(userSession, client, offline);
            if (cached != null) {
                cached.detachFromUserSession();
            }
        });
    }

    private static void enlist(
            KeycloakSession session, RealmModel realm, BiConsumer<KeycloakSession, RealmModel> removal) {
        KeycloakSessionFactory factory = session.getKeycloakSessionFactory();
        String realmId = realm.getId();
        session.getTransactionManager().enlistAfterCompletion(new AbstractKeycloakTransaction() {
            @Override
            protected void commitImpl() {
                KeycloakModelUtils.runJobInTransaction(factory, own -> {
                    RealmModel ownRealm = own.realms().getRealm(realmId);
                    if (ownRealm != null) {
                        own.getContext().setRealm(ownRealm);
                        removal.accept(own, ownRealm);
                    }
                });
            }

            /** What the request does is undone, but what it has found is not. */
            @Override
            protected void rollbackImpl() {
                commitImpl();
            }
        });
    }

    private static UserSessionPersisterProvider persister(KeycloakSession session) {
        return session.getProvider(UserSessionPersisterProvider.class);
    }
}
