package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A load of a JWK Set that is under way, and how long callers wait for it. Every caller waits for a short time, so that
 * a burst of first calls is answered. Only a few callers wait longer, so that hosts that hang do not block all threads.
 * No caller waits for a host whose last load was slow and gave no key.
 */
final class PendingJwksLoad {

    /** How long every caller waits, from the start of the load. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(300);

    /** How long the few other callers wait, from the start of the load: a little longer than the request may take. */
    private static final Duration MAX_WAIT = JwksRequest.TIMEOUT.plusMillis(200);

    private final long start = System.nanoTime();
    private final CompletableFuture<?> end;
    private final boolean mayWait;

    /**
     * @param end completes when the load has ended
     * @param mayWait whether callers wait at all; false if the host's last load was slow and gave no key
     */
    PendingJwksLoad(CompletableFuture<?> end, boolean mayWait) {
        this.end = end;
        this.mayWait = mayWait;
    }

    boolean isUnderWay() {
        return !end.isDone();
    }

    /** @param longWaits one permit for each caller that waits longer than the short time */
    void await(Semaphore longWaits) {
        if (!mayWait || awaitUntil(start + SHORT_WAIT.toNanos()) || !longWaits.tryAcquire()) {
            return;
        }
        try {
            awaitUntil(start + MAX_WAIT.toNanos());
        } finally {
            longWaits.release();
        }
    }

    /**
     * @param deadline a value of {@link System#nanoTime()}
     * @return whether the load has ended
     */
    boolean awaitUntil(long deadline) {
        try {
            end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // The caller looks in the cache for the result.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return end.isDone();
    }
}
