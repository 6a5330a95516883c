package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import io.github.checktoken.telemetry.RecentlyUsedMap;
import org.jboss.logging.Logger;

/**
 * The data providers' encryption keys that this node knows. A key belongs to its address or inline set, and is withdrawn
 * when the client is saved, not when Keycloak's cache drops the client. A call that runs meanwhile may use it once more.
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
    private final Map<Setting, CachedEncryptionKey> entries = RecentlyUsedMap.atMost(MAX_ENTRIES);
    private final Map<KeyId, FailedLoads> failedLoads = RecentlyUsedMap.atMost(MAX_ENTRIES);

    private final PrivateKeyWarnings privateKeyWarnings = new PrivateKeyWarnings();

    /** @param algorithm JWE {@code alg} */
    record KeyId(KnownDataProvider client, String algorithm) {}

    private record Setting(KeyId keyId, ClientJwks.Source source) {}

    /** Starts to fetch a set, or joins the fetch that is under way for the same URL. */
    interface Fetch {

        /** @return the result, which never completes exceptionally; empty if too many others are being fetched */
        Optional<CompletableFuture<FetchedJwks>> start(String url, boolean slow);
    }

    /** @param nanoTime {@link System#nanoTime} */
    EncryptionKeyCache(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return the entry for this set; if it is due, its load has been started */
    CachedEncryptionKey find(KeyId keyId, ClientJwks jwks, Fetch fetch) {
        Setting setting = new Setting(keyId, jwks.source());
        CachedEncryptionKey entry =
                entries.computeIfAbsent(setting, added -> CachedEncryptionKey.unknown(nanoTime.getAsLong()));
        if (!entry.isDue(nanoTime.getAsLong())) {
            return entry;
        }
        boolean slow =
                failedLoads.computeIfAbsent(keyId, added -> FailedLoads.NONE).isSlow(jwks.url());
        CachedEncryptionKey loading = entry.loading(new PendingJwksLoad(!slow));
        if (!entries.replace(setting, entry, loading)) {
            return find(keyId, jwks, fetch); // A parallel call was faster, or the key was withdrawn.
        }
        jwks.unfetched()
                .map(CompletableFuture::completedFuture)
                .or(() -> fetchAfter(entry.since(), jwks.url().orElseThrow(), slow, fetch))
                .ifPresentOrElse(
                        set -> set.thenAccept(fetched -> store(setting, loading, jwks, fetched)),
                        () -> put(setting, loading, entry));
        return loading;
    }

    void withdraw(String clientUuid) {
        entries.keySet()
                .removeIf(setting -> setting.keyId().client().clientUuid().equals(clientUuid));
    }

    /** @return the entry for this set; empty if there is none. Starts no load */
    Optional<CachedEncryptionKey> get(KeyId keyId, ClientJwks jwks) {
        return Optional.ofNullable(entries.get(new Setting(keyId, jwks.source())));
    }

    /** @return whose keys were looked for; those that were not loaded for the longest time are forgotten */
    Set<KnownDataProvider> known() {
        // In one step, because the map may change during an iteration.
        List<KeyId> keyIds = List.of(failedLoads.keySet().toArray(KeyId[]::new));
        return keyIds.stream().map(KeyId::client).collect(Collectors.toSet());
    }

    /** @return why the last load from this address gave no key, if none has given one for this time or longer */
    Optional<String> failureFor(Duration time, KeyId keyId, Optional<String> url) {
        return Optional.ofNullable(failedLoads.get(keyId))
                .filter(failed -> failed.lasts(time, url, nanoTime.getAsLong()))
                .map(FailedLoads::reason);
    }

    /** Does not use what was fetched before the key was withdrawn: perhaps an older set, with a key that was withdrawn. */
    private static Optional<CompletableFuture<FetchedJwks>> fetchAfter(
            long since, String url, boolean slow, Fetch fetch) {
        return fetch.start(url, slow)
                .map(started -> started.thenCompose(fetched -> fetched.start() - since >= 0
                        ? started
                        : fetch.start(url, slow)
                                .orElse(CompletableFuture.completedFuture(
                                        FetchedJwks.rejected("too many sets are being loaded")))));
    }

    private void store(Setting setting, CachedEncryptionKey loading, ClientJwks jwks, FetchedJwks fetched) {
        LoadedKey result = LoadedKey.of(fetched, setting.keyId().algorithm());
        long now = nanoTime.getAsLong();
        if (!put(setting, loading, loading.loaded(result, jwks.url().isPresent(), now))) {
            return; // The key was withdrawn during the load.
        }
        if (result.privateKeys() != null) {
            privateKeyWarnings.warn(setting.keyId().client(), jwks, result.privateKeys());
        }
        if (result.failure() == null) {
            FailedLoads failed = failedLoads.put(setting.keyId(), FailedLoads.NONE);
            if (failed != null && failed.count() > 0) {
                logger.infof(
                        "The JWKS of data provider '%s' gives an encryption key again, after %d loads without one",
                        jwks.owner(), failed.count());
            }
            return;
        }
        boolean slow = fetched.time().compareTo(SLOW_FAILURE) > 0;
        FailedLoads failure = new FailedLoads(1, jwks.url().orElse(null), result.failure(), slow, now, now);
        // Logs the first of several failures only.
        if (failedLoads.merge(setting.keyId(), failure, FailedLoads::and).count() == 1) {
            logger.warnf("The JWKS of data provider '%s' gives no encryption key: %s", jwks.owner(), result.failure());
        }
    }

    /** @return whether the load's entry was still there */
    private boolean put(Setting setting, CachedEncryptionKey loading, CachedEncryptionKey next) {
        boolean current = entries.replace(setting, loading, next);
        loading.load().end(next);
        return current;
    }
}
