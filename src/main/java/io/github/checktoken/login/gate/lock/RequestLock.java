package io.github.checktoken.login.gate.lock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.ErrorPageException;

import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.InterruptedLoginPage;
import io.github.checktoken.login.gate.request.NamedTabs;
import io.github.checktoken.telemetry.CheckTokenCounter;

/**
 * Lets only one request at a time work on a tab of a browser, on all nodes, so that what a request has checked counts only
 * for the login for which it was checked. Only a request that names a tab waits: the pages of a login, and what a provider
 * answers. All others make tabs of their own or work on none.
 */
public final class RequestLock {

    /**
     * How long a request waits for another one at most. A person who presses twice waits for the check of a password,
     * which takes a fraction of a second.
     */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** A request that takes longer cannot end a login, because another node may work on its tab by then. */
    public static final Duration LONGEST_HOLD = Duration.ofSeconds(60);

    /** The error of the event LOGIN_ERROR. */
    static final String ERROR = "login_busy";

    private final KeycloakSession session;
    private final TabLocks locks;
    private final BrowserRequest request;
    private final NamedTabs tabs;
    private final Map<String, ClusterLock> held = new LinkedHashMap<>();
    private long since;
    private boolean waited;

    public RequestLock(KeycloakSession session, TabLocks locks, BrowserRequest request) {
        this.session = session;
        this.locks = locks;
        this.request = request;
        this.tabs = new NamedTabs(session, request);
    }

    /**
     * Takes the tabs that the request names, before their root authentication session is read. A link that is opened twice
     * makes two tabs, so the link is taken, too.
     *
     * @param rootId null if a new one is made
     * @throws ErrorPageException if another request has one of them for too long
     */
    public void acquire(RealmModel realm, String rootId) {
        if (tabs.link() != null) {
            acquire(realm, "", tabs.link());
        }
        if (rootId != null) {
            tabs.ids().forEach(tabId -> acquire(realm, rootId, tabId));
        }
    }

    /** A login that the request goes on with is one that it names. If it was not seen, it is taken now. */
    public void requireFor(RealmModel realm, String rootId, String tabId) {
        if (request.isForLoginActions() || request.isForProvider()) {
            acquire(realm, rootId, tabId);
        }
    }

    private void acquire(RealmModel realm, String rootId, String name) {
        String tab = rootId + "." + name;
        if (!held.containsKey(tab) && !locks.isMine(tab)) {
            acquire(tab, new ClusterLock(session, realm, tab, LONGEST_HOLD));
        }
    }

    private void acquire(String tab, ClusterLock cluster) {
        long begin = System.nanoTime();
        waited |= locks.isBusy(tab);
        boolean taken = false;
        if (locks.acquire(tab, LONGEST_WAIT)) {
            try {
                taken = cluster.acquire(LONGEST_WAIT.minusNanos(System.nanoTime() - begin));
            } finally {
                if (!taken) {
                    locks.release(tab);
                }
            }
        }
        if (!taken) {
            throw busy();
        }
        since = held.isEmpty() ? System.nanoTime() : since;
        held.put(tab, cluster);
    }

    /** Whether another request has worked on the tab just before this one. */
    public boolean hasWaited() {
        return waited;
    }

    /** Whether a request of another node may work on the same tab by now. */
    public boolean isOverdue() {
        return !held.isEmpty() && System.nanoTime() - since > LONGEST_HOLD.toNanos();
    }

    /** The entry of a lock that is overdue has expired, and may be another node's by now. */
    public void release() {
        try {
            if (!isOverdue()) {
                held.values().forEach(ClusterLock::release);
            }
        } finally {
            held.keySet().forEach(locks::release);
            held.clear();
        }
    }

    /** @return an exception with the page for a request that another one keeps waiting, after an event and a meter */
    public ErrorPageException busy() {
        RealmModel realm = session.getContext().getRealm();
        CheckTokenCounter.LOGINS_BUSY.increment(realm.getName());
        new EventBuilder(realm, session, session.getContext().getConnection())
                .event(EventType.LOGIN)
                .detail(Details.REASON, "another request works on the same tab")
                .error(ERROR);
        session.getTransactionManager().setRollbackOnly();
        return new ErrorPageException(new InterruptedLoginPage(session).stillProcessed());
    }
}
