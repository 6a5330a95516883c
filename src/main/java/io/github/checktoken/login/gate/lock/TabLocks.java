package io.github.checktoken.login.gate.lock;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The tabs on which the requests of this node work. The requests of one tab wait for each other, and never for those of
 * another one.
 */
public final class TabLocks {

    /** The most requests of one tab at the same time. Nobody presses a button that often within a second. */
    static final int MOST_OF_ONE_TAB = 8;

    private final ConcurrentMap<String, Tab> tabs = new ConcurrentHashMap<>();

    private static final class Tab {

        private final Semaphore turn = new Semaphore(1, true);
        private volatile Thread worker;
        private int requests;
    }

    /** Whether the thread has the tab already, in a Keycloak session around this one. */
    boolean isMine(String tab) {
        Tab known = tabs.get(tab);
        return known != null && known.worker == Thread.currentThread();
    }

    boolean isBusy(String tab) {
        return tabs.containsKey(tab);
    }

    /** @return whether the request has the tab now; if not, another one has it for longer than this one may wait */
    boolean acquire(String name, Duration longestWait) {
        Tab tab = tabs.compute(name, (key, known) -> {
            Tab used = known == null ? new Tab() : known;
            used.requests++;
            return used;
        });
        boolean taken = false;
        try {
            taken = tab.requests <= MOST_OF_ONE_TAB && tab.turn.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (taken) {
                tab.worker = Thread.currentThread();
            } else {
                leave(name);
            }
        }
        return taken;
    }

    void release(String name) {
        Tab tab = tabs.get(name);
        tab.worker = null;
        tab.turn.release();
        leave(name);
    }

    private void leave(String name) {
        tabs.computeIfPresent(name, (key, tab) -> --tab.requests == 0 ? null : tab);
    }
}
