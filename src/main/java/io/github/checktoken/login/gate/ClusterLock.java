package io.github.checktoken.login.gate;

import java.util.function.Predicate;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.utils.KeycloakModelUtils;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.login.gate.NodeLocks.BusyException;

/**
 * The lock of a root authentication session that all nodes see: the only slot of a limit. It is taken after the lock of
 * the node ({@link NodeLocks}), so the requests of one node do not wait here for each other.
 */
record ClusterLock(KeycloakSession session, String realmId, String rootId) {

    private static final long POLL_MILLIS = 20;

    /** @return false if another node has the session for too long, or if that cannot be told */
    boolean acquire() throws BusyException {
        long deadline = System.nanoTime() + NodeLocks.LONGEST_WAIT.toNanos();
        while (!tryAcquire()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            sleep();
        }
        return true;
    }

    boolean tryAcquire() {
        return withLimit(limit -> limit.take(rootId));
    }

    void release() {
        withLimit(limit -> {
            limit.free(rootId);
            return true;
        });
    }

    /** In a transaction of its own, because the other nodes must see it at once. */
    private boolean withLimit(Predicate<AttemptLimit> action) {
        return KeycloakModelUtils.runJobInTransactionWithResult(session.getKeycloakSessionFactory(), other -> {
            other.getContext().setRealm(other.realms().getRealm(realmId));
            return action.test(new AttemptLimit(other, "request", 1, (int) NodeLocks.LONGEST_HOLD.toSeconds()));
        });
    }

    private static void sleep() throws BusyException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException();
        }
    }
}
