package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

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
    private final CompletableFuture<CachedEncryptionKey> end = new CompletableFuture<>();
    private final boolean mayWait;

    /** @param mayWait whether callers wait at all; false if the host's last load was slow and gave no key */
    PendingJwksLoad(boolean mayWait) {
        this.mayWait = mayWait;
    }

    /** Only the first result counts. */
    void end(CachedEncryptionKey result) {
        end.complete(result);
    }

    /**
     * @param longWaits one permit for each caller that waits longer than the short time
     * @return the result; empty if the load is still under way
     */
    Optional<CachedEncryptionKey> await(Semaphore longWaits) {
        Optional<CachedEncryptionKey> early = awaitUntil(mayWait ? start + SHORT_WAIT.toNanos() : start);
        if (early.isPresent() || !mayWait || !longWaits.tryAcquire()) {
            return early;
        }
        try {
            return awaitUntil(start + MAX_WAIT.toNanos());
        } finally {
            longWaits.release();
        }
    }

    /**
     * @param deadline a value of {@link System#nanoTime()}
     * @return the result; empty if the load is still under way
     */
    Optional<CachedEncryptionKey> awaitUntil(long deadline) {
        long left = Math.max(0, deadline - System.nanoTime());
        return Optional.ofNullable(
                end.copy().completeOnTimeout(null, left, TimeUnit.NANOSECONDS).join());
    }
}
