package io.github.checktoken.login.gate;

import java.util.LinkedHashMap;
import java.util.Map;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.ErrorPageException;

import io.github.checktoken.login.gate.NodeLocks.BusyException;
import io.github.checktoken.login.gate.NodeLocks.Holder;

/**
 * Lets only one request at a time work on a root authentication session, on all nodes, so that what a request has checked
 * counts only for the login for which it was checked. A request waits for the one before it, and gets an error page if
 * that takes too long.
 *
 * <p>A request may meet several root authentication sessions. It waits only for the first one, so that two requests never
 * wait for each other. If the session of its browser is not the first one and is busy, the request is refused. Other
 * sessions, which it meets because it ends sessions of the person, it takes only if nobody else has them.
 */
final class RequestLock {

    /** An administrator may end thousands of sessions in one request. */
    private static final int MOST_HELD = 4;

    private final KeycloakSession session;
    private final NodeLocks locks;
    private final BrowserRequest request;
    private final Map<String, Held> held = new LinkedHashMap<>();

    private record Held(Holder holder, ClusterLock cluster) {}

    RequestLock(KeycloakSession session, NodeLocks locks, BrowserRequest request) {
        this.session = session;
        this.locks = locks;
        this.request = request;
    }

    /** @throws ErrorPageException if another request has the session for too long */
    void acquire(RealmModel realm, String rootId) {
        if (rootId == null || held.containsKey(rootId) || !request.isForRealm()) {
            return;
        }
        boolean first = held.isEmpty();
        boolean required = first || request.hasCookieOf(rootId);
        if (!required && held.size() >= MOST_HELD) {
            return;
        }
        try {
            Holder holder = first ? locks.acquire(rootId) : locks.tryAcquire(rootId);
            boolean taken =
                    holder != null && hold(rootId, holder, new ClusterLock(session, realm.getId(), rootId), first);
            if (!taken && required && !locks.isMine(rootId)) {
                throw busy();
            }
        } catch (BusyException e) {
            throw busy();
        }
    }

    /** @return whether no other node has the session; if not, or if that cannot be told, this node has it no longer */
    private boolean hold(String rootId, Holder holder, ClusterLock cluster, boolean waits) throws BusyException {
        boolean taken = false;
        try {
            taken = waits ? cluster.acquire() : cluster.tryAcquire();
        } finally {
            if (taken) {
                held.put(rootId, new Held(holder, cluster));
            } else {
                locks.release(rootId, holder);
            }
        }
        return taken;
    }

    /** Whether another request may work on the same session by now. */
    boolean isOverdue() {
        return held.values().stream().anyMatch(it -> it.holder().isOverdue());
    }

    void release() {
        try {
            for (Held it : held.values()) {
                if (!it.holder().isOverdue()) {
                    it.cluster().release();
                }
            }
        } finally {
            held.forEach((rootId, it) -> locks.release(rootId, it.holder()));
            held.clear();
        }
    }

    ErrorPageException busy() {
        session.getTransactionManager().setRollbackOnly();
        return new ErrorPageException(new InterruptedLoginPage(session).stillProcessed());
    }
}
