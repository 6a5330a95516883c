package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.keycloak.common.util.Time;

import io.github.checktoken.introspection.jose.AnswerEncrypter;
import org.jboss.logging.Logger;

/**
 * One data provider's encryption key for one algorithm, as this node caches it: the key, how long it may be used, and
 * when its JWKS is loaded again. An inline set is read once. If the client is saved, the key is forgotten.
 */
final class CachedEncryptionKey {

    /** The first call after this time loads the set again. */
    static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

    /** A key is used for this long after its set was last loaded, if later loads fail or nobody calls. */
    static final Duration MAX_AGE = Duration.ofDays(1);

    /** How long after a load without a usable key the next one may start. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    /** An inline set is read once, and its key is used until the client is saved. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** A host counts as slow if a load from it gives no key and takes longer than this. */
    private static final Duration SLOW_FAILURE = Duration.ofSeconds(1);

    /** Longer than a call takes. If calls read an older state after this time, Keycloak never cached the newest one. */
    private static final Duration MAX_CALL = Duration.ofMinutes(1);

    /**
     * How many loads a call waits for. After a client is saved, requests that run at that moment read it one by one, and
     * each newer state makes the load before it void.
     */
    private static final int MAX_LOADS = 10;

    private static final Logger logger = Logger.getLogger(CachedEncryptionKey.class);

    private final String algorithm;
    private final LongSupplier nanoTime;

    /** The client's newest state that a call has read, after its load without an inline set. Null before the first call. */
    private ClientJwks newest;

    /** {@link #nanoTime} when {@link #newest} was read first. */
    private long newestSince;

    private AnswerEncrypter encrypter;

    /** {@link #nanoTime} until which the key may be used. */
    private long expiry;

    /** {@link #nanoTime} from which the set may be loaded again. */
    private long due;

    private String failure;
    private int failures;
    private boolean slow;
    private PendingJwksLoad load;

    /**
     * @param algorithm JWE {@code alg}
     * @param nanoTime {@link System#nanoTime}: what a wrong wall clock sets would hold until that time comes
     */
    CachedEncryptionKey(String algorithm, LongSupplier nanoTime) {
        this.algorithm = algorithm;
        this.nanoTime = nanoTime;
    }

    /** @return empty if no key is known or it has expired */
    synchronized Optional<AnswerEncrypter> encrypter() {
        return Optional.ofNullable(encrypter).filter(known -> nanoTime.getAsLong() - expiry < 0);
    }

    /**
     * Waits for the loads that this key needs, as long as {@link PendingJwksLoad#await} allows.
     *
     * @param loads calls {@link #load}
     * @return empty if no key is known after that
     */
    Optional<AnswerEncrypter> await(Supplier<Optional<PendingJwksLoad>> loads, Semaphore longWaits) {
        for (int i = 0; i < MAX_LOADS; i++) {
            Optional<PendingJwksLoad> load = loads.get();
            Optional<AnswerEncrypter> found = encrypter();
            if (found.isPresent() || load.isEmpty()) {
                return found;
            }
            load.get().await(longWaits);
            if (load.get().isUnderWay()) {
                break;
            }
        }
        return encrypter();
    }

    synchronized EncryptionKeyStatus status() {
        return new EncryptionKeyStatus(
                encrypter().map(AnswerEncrypter::key), Optional.ofNullable(failure), load != null && load.isUnderWay());
    }

    /** Whether the last load gave no key and took longer than a second. */
    synchronized boolean isSlow() {
        return slow;
    }

    /**
     * Starts to load the set if that is due. Only one load runs at a time, so a client that is saved again and again
     * occupies only one thread. What is loaded is the set of the client's newest state, also for a call that read the
     * client before: newer calls may have made the load void for which it waited.
     *
     * @param read the client's state as the call read it
     * @param fetch starts to fetch the set at a URL; gives empty if too many others are being fetched
     * @return the load that is under way; empty if there is none
     */
    synchronized Optional<PendingJwksLoad> load(
            ClientJwks read, Function<String, Optional<CompletableFuture<FetchedJwks>>> fetch) {
        if (isNewest(read)) {
            // Saving the client does not make a slow host faster.
            slow = slow && read.url().equals(newest.url());
            newest = read;
            newestSince = nanoTime.getAsLong();
            encrypter = null;
            due = newestSince;
        }
        if (load != null && load.isUnderWay()) {
            return Optional.of(load);
        }
        load = null;
        if (nanoTime.getAsLong() - due >= 0) {
            start(fetch);
        }
        return Optional.ofNullable(load);
    }

    /**
     * Whether this state replaces the newest one. A call that read the client before it was saved can have the later
     * timestamp. Keycloak does not cache what it read, so other calls do not have it. If the newest state's timestamp lies
     * in the future, the clock was put back.
     */
    private boolean isNewest(ClientJwks read) {
        if (newest == null) {
            return true;
        }
        return !read.isSameVersion(newest)
                && (read.saved() >= newest.saved()
                        || nanoTime.getAsLong() - newestSince > MAX_CALL.toNanos()
                        || newest.saved() > Time.currentTimeMillis());
    }

    private void start(Function<String, Optional<CompletableFuture<FetchedJwks>>> fetch) {
        ClientJwks jwks = newest;
        String problem = jwks.problem().orElse(null);
        Optional<CompletableFuture<FetchedJwks>> set = problem != null
                ? Optional.of(CompletableFuture.completedFuture(FetchedJwks.rejected(problem)))
                : jwks.inline()
                        .map(FetchedJwks::immediate)
                        .map(CompletableFuture::completedFuture)
                        .or(() -> fetch.apply(jwks.url().orElseThrow()));
        set.ifPresent(started -> {
            due = nanoTime.getAsLong() + RETRY_INTERVAL.toNanos();
            CompletableFuture<Void> end = new CompletableFuture<>();
            load = new PendingJwksLoad(end, !slow);
            started.thenAccept(fetched -> {
                try {
                    store(jwks, LoadedKey.of(fetched, algorithm), fetched.time());
                } finally {
                    end.complete(null);
                }
            });
        });
    }

    private synchronized void store(ClientJwks jwks, LoadedKey result, Duration time) {
        if (jwks != newest) {
            return; // The client was saved during the load.
        }
        if (!result.failed() && time.toNanos() > nanoTime.getAsLong() - newestSince) {
            // Fetched for another client with the same address, from before this one was saved: perhaps an older set.
            due = nanoTime.getAsLong();
            return;
        }
        boolean inline = jwks.inline().isPresent();
        long now = nanoTime.getAsLong();
        if (!result.failed()) {
            encrypter = result.encrypter();
            expiry = now + (inline ? FOR_EVER : MAX_AGE).toNanos();
        }
        Duration next = result.failure() == null ? REFRESH_INTERVAL : RETRY_INTERVAL;
        due = now + (inline ? FOR_EVER : next).toNanos();
        slow = result.failure() != null && time.compareTo(SLOW_FAILURE) > 0;
        log(jwks.owner(), result.failure());
        failure = result.failure();
        newest = newest.withoutText();
    }

    /** Logs one line when loads begin to fail, and one when they work again. */
    private void log(String owner, String currentFailure) {
        if (currentFailure == null && failures > 0) {
            logger.infof(
                    "The JWKS of data provider '%s' gives an encryption key again, after %d loads without one",
                    owner, failures);
            failures = 0;
        } else if (currentFailure != null && failures++ == 0) {
            logger.warnf("The JWKS of data provider '%s' gives no encryption key: %s", owner, currentFailure);
        }
    }
}
