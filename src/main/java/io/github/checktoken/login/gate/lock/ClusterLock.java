package io.github.checktoken.login.gate.lock;

import java.time.Duration;
import java.util.function.Predicate;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.utils.KeycloakModelUtils;

import io.github.checktoken.limit.SlotNameHmac;

/**
 * The lock of a tab that all nodes see: an entry of Keycloak's single-use object store. It is taken after the lock of the
 * node ({@link TabLocks}), so the requests of one node do not wait here for each other.
 *
 * @param longestHold after this time the entry is gone, so that a node that was killed does not keep the tab
 */
record ClusterLock(KeycloakSession session, RealmModel realm, String tab, Duration longestHold) {

    private static final long POLL_MILLIS = 20;

    /** @return whether the request has the tab now */
    boolean acquire(Duration longestWait) {
        long deadline = System.nanoTime() + longestWait.toNanos();
        while (!tryAcquire()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private boolean tryAcquire() {
        return inOwnTransaction(other -> other.singleUseObjects().putIfAbsent(entry(other), longestHold.toSeconds()));
    }

    void release() {
        inOwnTransaction(other -> other.singleUseObjects().remove(entry(other)) != null);
    }

    /** Because the other nodes must see it at once. */
    private boolean inOwnTransaction(Predicate<KeycloakSession> action) {
        return KeycloakModelUtils.runJobInTransactionWithResult(session.getKeycloakSessionFactory(), other -> {
            other.getContext().setRealm(other.realms().getRealm(realm.getId()));
            return action.test(other);
        });
    }

    private String entry(KeycloakSession other) {
        return SlotNameHmac.withRealmKey(other).of("tab", tab);
    }
}
