package io.github.checktoken.keys;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A load of a JWK Set that is under way, and how long a request waits for it: each one a moment, so that a burst of first
 * calls is answered, but only a few for longer, so that hosts that hang do not take the threads of everybody else.
 */
final class JwksLoad {

    /** From the beginning of the load. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(300);

    /** The same, for those few. */
    private static final Duration MAX_WAIT = JwksRequest.TIMEOUT.plusMillis(200);

    private final long begin = System.nanoTime();
    private final CompletableFuture<?> end;
    private final boolean patient;

    /** @param patient whether anybody waits; nobody does for a host that was slow to fail the last time */
    JwksLoad(CompletableFuture<?> end, boolean patient) {
        this.end = end;
        this.patient = patient;
    }

    boolean isUnderWay() {
        return !end.isDone();
    }

    /** @param longWaits one permit for each that waits longer than a moment */
    void await(Semaphore longWaits) {
        if (!patient || awaitUntil(begin + SHORT_WAIT.toNanos()) || !longWaits.tryAcquire()) {
            return;
        }
        try {
            awaitUntil(begin + MAX_WAIT.toNanos());
        } finally {
            longWaits.release();
        }
    }

    /**
     * @param deadline of {@link System#nanoTime()}
     * @return whether the load has ended
     */
    boolean awaitUntil(long deadline) {
        try {
            end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Whoever waits looks at what is known then.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return end.isDone();
    }
}
