package io.github.checktoken.login.gate;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The root authentication sessions on which the requests of this node work, and the requests that wait for one. */
final class NodeLocks {

    /**
     * How long a request waits for another one at most. A person who presses twice waits for the check of a password,
     * which takes a fraction of a second.
     */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /**
     * For how long a request keeps a session at most, so that a node that is killed does not keep it for ever. A request
     * that takes longer cannot end a login.
     */
    static final Duration LONGEST_HOLD = Duration.ofSeconds(60);

    /** The most requests of a node that wait. More must not keep Keycloak's threads from other people. */
    static final int MOST_WAITING = 24;

    /** The most requests that wait for one root authentication session, so that one browser cannot take all places. */
    static final int MOST_WAITING_FOR_ONE = 16;

    private final ConcurrentMap<String, Holder> holders = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(MOST_WAITING);
    private final Duration longestWait;
    private final Duration longestHold;

    NodeLocks(Duration longestWait, Duration longestHold) {
        this.longestWait = longestWait;
        this.longestHold = longestHold;
    }

    /** The request that works on a root authentication session. */
    final class Holder {

        private final Thread thread = Thread.currentThread();
        private final long since = System.nanoTime();
        private final CountDownLatch end = new CountDownLatch(1);
        private final Semaphore places = new Semaphore(MOST_WAITING_FOR_ONE);

        /** A request that takes longer no longer keeps others from the session, but then it cannot end a login. */
        boolean isOverdue() {
            return System.nanoTime() - since > longestHold.toNanos();
        }
    }

    /** @return the thread's hold; null if this thread has it already, in a Keycloak session around this one */
    Holder acquire(String rootId) throws BusyException {
        Holder mine = new Holder();
        long deadline = System.nanoTime() + longestWait.toNanos();
        while (true) {
            Holder other = holders.putIfAbsent(rootId, mine);
            if (other == null || other.isOverdue() && holders.replace(rootId, other, mine)) {
                return mine;
            }
            if (other.thread == mine.thread) {
                return null;
            }
            await(other, deadline);
        }
    }

    /** @return the hold, or null if another request has it or this thread has it already */
    Holder tryAcquire(String rootId) {
        Holder mine = new Holder();
        return holders.putIfAbsent(rootId, mine) == null ? mine : null;
    }

    /** Whether this thread has the session. */
    boolean isMine(String rootId) {
        Holder holder = holders.get(rootId);
        return holder != null && holder.thread == Thread.currentThread();
    }

    void release(String rootId, Holder holder) {
        holders.remove(rootId, holder);
        holder.end.countDown();
    }

    private void await(Holder other, long deadline) throws BusyException {
        if (!other.places.tryAcquire()) {
            throw new BusyException();
        }
        try {
            if (!places.tryAcquire()) {
                throw new BusyException();
            }
            try {
                if (!other.end.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new BusyException();
                }
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException();
        } finally {
            other.places.release();
        }
    }

    /** Another request works on the session for too long. */
    static final class BusyException extends Exception {}
}
