package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import io.github.checktoken.telemetry.FailureTracker;
import io.github.checktoken.telemetry.RecentEntries;
import org.jboss.logging.Logger;

/**
 * The data providers' encryption keys that this node knows: an entry for each version of a client's JWKS setting, and
 * for each algorithm. If the client is saved, there is a new version, and no key of the old one is used for it. What is
 * lost: a call that read the client just before it was saved may use the old key once.
 */
final class EncryptionKeyCache {

    /**
     * Each entry holds one key, at most 10 KB, and no inline set: 50 MB at most in all. The least recently used entry is
     * removed first.
     */
    private static final int MAX_ENTRIES = 5000;

    /** A host counts as slow if a load from it gives no key and takes longer than this. */
    private static final Duration SLOW_FAILURE = Duration.ofSeconds(1);

    private static final Logger logger = Logger.getLogger(EncryptionKeyCache.class);

    private final LongSupplier nanoTime;
    private final Map<Version, CachedEncryptionKey> entries = RecentEntries.atMost(MAX_ENTRIES);

    /** The address of the last load, if it was slow and gave no key. Saving the client does not make a host faster. */
    private final Map<KeyId, String> slowAddresses = RecentEntries.atMost(MAX_ENTRIES);

    private final FailureTracker failures = new FailureTracker();

    /** @param algorithm JWE {@code alg} */
    record KeyId(String realmId, String clientUuid, String algorithm) {}

    private record Version(KeyId keyId, ClientJwks.Version jwks) {

        /** Not if the clock was put back: then the old entry stays until it is the least recently used. */
        boolean replaces(Version other) {
            return keyId.equals(other.keyId) && jwks.saved() >= other.jwks.saved() && !equals(other);
        }
    }

    /** Starts to fetch a set, or joins the fetch that is under way for the same URL. */
    interface Fetch {

        /** @return the result, which never completes exceptionally; empty if too many others are being fetched */
        Optional<CompletableFuture<FetchedJwks>> start(String url, boolean slow);
    }

    /** @param nanoTime {@link System#nanoTime} */
    EncryptionKeyCache(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return the entry for this version of the client; if it is due, its load has been started */
    CachedEncryptionKey find(KeyId keyId, ClientJwks jwks, Fetch fetch) {
        Version version = new Version(keyId, jwks.version());
        CachedEncryptionKey entry = entries.get(version);
        if (entry == null) {
            entries.keySet().removeIf(version::replaces);
            entry = entries.computeIfAbsent(version, key -> CachedEncryptionKey.unknown(nanoTime.getAsLong()));
        }
        return entry.isDue(nanoTime.getAsLong()) ? load(version, entry, jwks, fetch) : entry;
    }

    private CachedEncryptionKey load(Version version, CachedEncryptionKey entry, ClientJwks jwks, Fetch fetch) {
        Optional<FetchedJwks> unfetched = jwks.unfetched();
        String slowAddress = slowAddresses.get(version.keyId());
        boolean slow = jwks.url().filter(url -> url.equals(slowAddress)).isPresent();
        CachedEncryptionKey loading = entry.loading(new PendingJwksLoad(!slow));
        if (!entries.replace(version, entry, loading)) {
            // A parallel call was faster.
            return entries.getOrDefault(version, entry);
        }
        unfetched
                .map(CompletableFuture::completedFuture)
                .or(() -> fetchAfter(entry.since(), jwks.url().orElseThrow(), slow, fetch))
                .ifPresentOrElse(
                        set -> set.thenAccept(fetched -> store(version, loading, jwks, fetched)),
                        () -> put(version, loading, entry));
        return loading;
    }

    /** Does not use what was fetched before the client was saved: perhaps an older set, with a key that was withdrawn. */
    private static Optional<CompletableFuture<FetchedJwks>> fetchAfter(
            long since, String url, boolean slow, Fetch fetch) {
        return fetch.start(url, slow)
                .map(started -> started.thenCompose(fetched -> fetched.start() - since >= 0
                        ? started
                        : fetch.start(url, slow)
                                .orElse(CompletableFuture.completedFuture(
                                        FetchedJwks.rejected("too many sets are being loaded")))));
    }

    private void store(Version version, CachedEncryptionKey loading, ClientJwks jwks, FetchedJwks fetched) {
        LoadedKey result = LoadedKey.of(fetched, version.keyId().algorithm());
        if (!put(version, loading, loading.loaded(result, jwks.url().isPresent(), nanoTime.getAsLong()))) {
            return; // The client was saved during the load.
        }
        if (result.failure() != null && fetched.time().compareTo(SLOW_FAILURE) > 0) {
            slowAddresses.put(version.keyId(), jwks.url().orElseThrow());
        } else {
            slowAddresses.remove(version.keyId());
        }
        log(version.keyId(), jwks.owner(), result.failure());
    }

    /** @return whether the load's entry was still there */
    private boolean put(Version version, CachedEncryptionKey loading, CachedEncryptionKey next) {
        boolean current = entries.replace(version, loading, next);
        loading.load().end(next);
        return current;
    }

    /** Logs one line when loads begin to fail, and one when they work again. */
    private void log(KeyId keyId, String owner, String failure) {
        if (failure != null) {
            if (failures.recordFailure(keyId)) {
                logger.warnf("The JWKS of data provider '%s' gives no encryption key: %s", owner, failure);
            }
            return;
        }
        int failed = failures.recordSuccess(keyId);
        if (failed > 0) {
            logger.infof(
                    "The JWKS of data provider '%s' gives an encryption key again, after %d loads without one",
                    owner, failed);
        }
    }
}
