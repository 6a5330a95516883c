package io.github.checktoken.login.gate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

import org.keycloak.common.util.Base64Url;
import org.keycloak.cookie.CookieProvider;
import org.keycloak.cookie.CookieType;
import org.keycloak.http.HttpRequest;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.utils.KeycloakModelUtils;
import org.keycloak.services.ErrorPageException;

import io.github.checktoken.limit.AttemptLimit;
import io.github.checktoken.login.gate.RequestLocks.BusyException;
import io.github.checktoken.login.gate.RequestLocks.Holder;

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

    /**
     * For how long a request keeps a session at most, so that a node that is killed does not keep it for ever. A request
     * that takes longer cannot end a login.
     */
    static final Duration LONGEST_HOLD = Duration.ofSeconds(60);

    /** An administrator may end thousands of sessions in one request. */
    private static final int MOST_HELD = 4;

    private static final long POLL_MILLIS = 20;

    private final KeycloakSession session;
    private final RequestLocks locks;
    private final Map<String, Held> held = new LinkedHashMap<>();

    private record Held(Holder holder, String realmId) {}

    RequestLock(KeycloakSession session, RequestLocks locks) {
        this.session = session;
        this.locks = locks;
    }

    /** @throws ErrorPageException if another request has the session for too long */
    void acquire(RealmModel realm, String rootId) {
        if (rootId == null || held.containsKey(rootId) || !isRequestOfRealm()) {
            return;
        }
        boolean first = held.isEmpty();
        boolean required = first || isOfThisBrowser(rootId);
        if (!required && held.size() >= MOST_HELD) {
            return;
        }
        try {
            Holder holder = first ? locks.acquire(rootId) : locks.tryAcquire(rootId);
            boolean taken = holder != null && hold(realm, rootId, holder, first);
            if (!taken && required && !locks.isMine(rootId)) {
                throw busy();
            }
        } catch (BusyException e) {
            throw busy();
        }
    }

    /** @return whether no other node has the session; if not, or if that cannot be told, this node has it no longer */
    private boolean hold(RealmModel realm, String rootId, Holder holder, boolean waits) {
        boolean marked = false;
        try {
            marked = waits ? markOnAllNodes(realm, rootId) : mark(realm.getId(), rootId);
        } finally {
            if (marked) {
                held.put(rootId, new Held(holder, realm.getId()));
            } else {
                locks.release(rootId, holder);
            }
        }
        return marked;
    }

    /** Whether another request may work on the same session by now. */
    boolean isOverdue() {
        return held.values().stream().anyMatch(it -> it.holder().isOverdue());
    }

    void release() {
        try {
            held.forEach((rootId, it) -> {
                if (!it.holder().isOverdue()) {
                    unmark(it.realmId(), rootId);
                }
            });
        } finally {
            held.forEach((rootId, it) -> locks.release(rootId, it.holder()));
            held.clear();
        }
    }

    ErrorPageException busy() {
        session.getTransactionManager().setRollbackOnly();
        return new ErrorPageException(new InterruptedLoginPage(session).stillProcessed());
    }

    private boolean markOnAllNodes(RealmModel realm, String rootId) {
        long deadline = System.nanoTime() + RequestLocks.LONGEST_WAIT.toNanos();
        while (!mark(realm.getId(), rootId)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            sleep();
        }
        return true;
    }

    private boolean mark(String realmId, String rootId) {
        return limit(realmId, limit -> limit.take(rootId));
    }

    private void unmark(String realmId, String rootId) {
        limit(realmId, limit -> {
            limit.free(rootId);
            return true;
        });
    }

    /** In a transaction of its own, because the other nodes must see it at once. */
    private boolean limit(String realmId, Predicate<AttemptLimit> action) {
        return KeycloakModelUtils.runJobInTransactionWithResult(session.getKeycloakSessionFactory(), other -> {
            other.getContext().setRealm(other.realms().getRealm(realmId));
            return action.test(new AttemptLimit(other, "request", 1, (int) LONGEST_HOLD.toSeconds()));
        });
    }

    private void sleep() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
    }

    /**
     * Whether the browser's cookie names this session. An address can name a session before the cookie does, so the first
     * one is not always the browser's.
     */
    private boolean isOfThisBrowser(String rootId) {
        String cookie = session.getProvider(CookieProvider.class).get(CookieType.AUTH_SESSION_ID);
        if (cookie == null) {
            return false;
        }
        try {
            // The id and its signature, then perhaps the route to a node.
            byte[] signed = Base64Url.decode(cookie.split("\\.", 2)[0]);
            return new String(signed, StandardCharsets.UTF_8).startsWith(rootId + ".");
        } catch (RuntimeException e) {
            // Not a value that Keycloak has set, so Keycloak does not read the session either.
            return false;
        }
    }

    /** The admin REST API works on sessions of other people, and must never wait for them. */
    private boolean isRequestOfRealm() {
        HttpRequest request = session.getContext().getHttpRequest();
        if (request == null || request.getUri() == null) {
            return false;
        }
        // The path may begin with that of --http-relative-path.
        String beforeRealms = request.getUri().getPath().split("realms/", 2)[0];
        return !beforeRealms.matches("(.*/)?admin/");
    }
}
