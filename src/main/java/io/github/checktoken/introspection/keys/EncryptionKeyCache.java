package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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

    private final Map<KeyId, FailedLoads> failedLoads = RecentEntries.atMost(MAX_ENTRIES);

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

    /** @return the keys that were looked for; those that were not needed for the longest time are forgotten */
    Set<KeyId> known() {
        // In one step, because the map may change during an iteration.
        List<Version> versions = List.of(entries.keySet().toArray(Version[]::new));
        return versions.stream().map(Version::keyId).collect(Collectors.toSet());
    }

    /** @return why the last load from this address gave no key, if none has given one for this time or longer */
    Optional<String> failureFor(Duration time, KeyId keyId, Optional<String> url) {
        return Optional.ofNullable(failedLoads.get(keyId))
                .filter(failed -> failed.lasts(time, url, nanoTime.getAsLong()))
                .map(FailedLoads::reason);
    }

    private CachedEncryptionKey load(Version version, CachedEncryptionKey entry, ClientJwks jwks, Fetch fetch) {
        Optional<FetchedJwks> unfetched = jwks.unfetched();
        FailedLoads failed = failedLoads.get(version.keyId());
        boolean slow = failed != null && failed.isSlow(jwks.url());
        CachedEncryptionKey loading = entry.loading(new PendingJwksLoad(!slow));
        if (!entries.replace(version, entry, loading)) {
            CachedEncryptionKey current = entries.get(version);
            if (current != null) {
                return current; // A parallel call was faster.
            }
            // The client was saved in between. The load serves only this call.
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
        long now = nanoTime.getAsLong();
        if (!put(version, loading, loading.loaded(result, jwks.url().isPresent(), now))) {
            return; // The client was saved during the load.
        }
        if (result.failure() == null) {
            FailedLoads failed = failedLoads.remove(version.keyId());
            if (failed != null) {
                logger.infof(
                        "The JWKS of data provider '%s' gives an encryption key again, after %d loads without one",
                        jwks.owner(), failed.count());
            }
            return;
        }
        boolean slow = fetched.time().compareTo(SLOW_FAILURE) > 0;
        FailedLoads failure = new FailedLoads(1, jwks.url().orElse(null), result.failure(), slow, now, now);
        // Logs the first of several failures only.
        if (failedLoads.merge(version.keyId(), failure, FailedLoads::and).count() == 1) {
            logger.warnf("The JWKS of data provider '%s' gives no encryption key: %s", jwks.owner(), result.failure());
        }
    }

    /** @return whether the load's entry was still there */
    private boolean put(Version version, CachedEncryptionKey loading, CachedEncryptionKey next) {
        boolean current = entries.replace(version, loading, next);
        loading.load().end(next);
        return current;
    }
}
