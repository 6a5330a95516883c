package io.github.checktoken.keycloak;

import org.keycloak.models.AbstractKeycloakTransaction;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.models.cache.CacheRealmProvider;
import org.keycloak.models.cache.CachedRealmModel;

/**
 * Drops a realm from the caches of all nodes if a transaction changes what {@link RealmUse} says. It looks when the
 * transaction is about to be committed, because Keycloak reports a changed client before it has its mappers. A new client
 * scope needs no check: Keycloak drops its realm anyway.
 */
final class RealmUseCheck extends AbstractKeycloakTransaction {

    /** With the id of the realm, an attribute of the session. */
    private static final String KEY = RealmUseCheck.class.getName();

    private final KeycloakSession session;
    private final CachedRealmModel realm;

    private RealmUseCheck(KeycloakSession session, CachedRealmModel realm) {
        this.session = session;
        this.realm = realm;
    }

    /** Checks each transaction that saves a client, as JSON with its mappers. */
    static void listen(KeycloakSessionFactory factory) {
        factory.register(event -> {
            if (event instanceof ClientModel.ClientUpdatedEvent updated) {
                begin(updated.getKeycloakSession(), updated.getUpdatedClient().getRealm());
            }
        });
    }

    /** Does nothing for a realm that is not cached, such as one that this transaction has changed or made. */
    static void begin(KeycloakSession session, RealmModel realm) {
        if (realm instanceof CachedRealmModel cached && !isPending(session, realm)) {
            session.setAttribute(KEY + realm.getId(), true);
            session.getTransactionManager().enlistPrepare(new RealmUseCheck(session, cached));
        }
    }

    /** Whether the transaction may be about to change the answer. */
    static boolean isPending(KeycloakSession session, RealmModel realm) {
        return session.getAttribute(KEY + realm.getId()) != null;
    }

    @Override
    protected void commitImpl() {
        RealmUse before = RealmUse.kept(realm);
        if (!RealmUse.find(session, realm).equals(before == null ? RealmUse.NONE : before)) {
            session.getProvider(CacheRealmProvider.class).registerRealmInvalidation(realm.getId(), realm.getName());
        }
    }

    @Override
    protected void rollbackImpl() {
        // Nothing has changed.
    }
}
