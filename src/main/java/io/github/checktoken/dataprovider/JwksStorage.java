package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.PublicKeysWrapper;
import org.keycloak.keys.PublicKeyStorageProvider;

import org.jboss.logging.Logger;

/**
 * The keys of JWK Sets in Keycloak's {@link PublicKeyStorageProvider}, which loads once however many ask, at most every
 * 10 s. It knows one time per entry, so the rest is in when an entry ends: keys of which one fits live 5 minutes; keys of
 * which none fits, and what was known before a load that failed, live 10 s.
 *
 * <p>What is known is kept beside it: the storage would refuse to write an entry that was read less than 10 s ago.
 */
final class JwksStorage {

    /** Where a JWK Set comes from. */
    interface Source {
        String read() throws IOException;
    }

    static final Duration LIFETIME = Duration.ofMinutes(5);
    static final Duration RETRY = Duration.ofSeconds(10);

    private static final Logger logger = Logger.getLogger(JwksStorage.class);

    private static final int MAX_KNOWN = 1000;
    private static final Map<String, Known> KNOWN = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MAX_KNOWN;
        }
    });

    /** Callers, of all data providers, who wait for keys that somebody else is loading; Keycloak has 50 threads or more. */
    private static final Semaphore WAITING = new Semaphore(32);

    private static final Set<String> LOADING = ConcurrentHashMap.newKeySet();

    private final PublicKeyStorageProvider storage;
    private final String owner;

    /** @param owner client_id, for the log */
    JwksStorage(PublicKeyStorageProvider storage, String owner) {
        this.storage = storage;
        this.owner = owner;
    }

    /**
     * @param entry names the set, its source included
     * @param fits whether a key is one to look for
     * @return all keys of the set; empty when it cannot be had
     */
    List<KeyWrapper> keys(String entry, Predicate<KeyWrapper> fits, Source source) {
        if (!LOADING.contains(entry)) {
            return read(entry, fits, source);
        }
        // One caller waits for a host that hangs, and few others, or they would take every thread from other callers.
        List<KeyWrapper> known = known(entry);
        if (!known.isEmpty()) {
            return known;
        }
        if (!WAITING.tryAcquire()) {
            return List.of();
        }
        try {
            return read(entry, fits, source);
        } finally {
            WAITING.release();
        }
    }

    /** @return why the set could not be had, or was of no use, when it was last loaded here; empty when it was */
    Optional<String> failure(String entry) {
        return Optional.ofNullable(KNOWN.get(entry)).map(Known::failure);
    }

    /**
     * What the last load left.
     *
     * @param keys of which one fits; empty when none does
     * @param failure null when the load succeeded
     */
    private record Known(List<KeyWrapper> keys, String failure) {}

    private static List<KeyWrapper> known(String entry) {
        Known known = KNOWN.get(entry);
        return known == null ? List.of() : known.keys();
    }

    private List<KeyWrapper> read(String entry, Predicate<KeyWrapper> fits, Source source) {
        return storage.getKeys(entry, () -> load(entry, fits, source));
    }

    private PublicKeysWrapper load(String entry, Predicate<KeyWrapper> fits, Source source) {
        LOADING.add(entry);
        try {
            List<KeyWrapper> keys = EncryptionJwks.parse(source.read());
            if (keys.stream().anyMatch(fits)) {
                KNOWN.put(entry, new Known(keys, null));
                return ending(keys, LIFETIME);
            }
            KNOWN.put(entry, new Known(List.of(), "no key in it fits"));
            logger.warnf("No key in the JWKS of data provider '%s' fits its settings", owner);
            return ending(keys, RETRY);
        } catch (IOException e) {
            logger.warnf("No encryption keys from the JWKS of data provider '%s': %s", owner, e.getMessage());
            List<KeyWrapper> known = known(entry);
            KNOWN.put(entry, new Known(known, e.getMessage()));
            return ending(known, RETRY);
        } finally {
            LOADING.remove(entry);
        }
    }

    private static PublicKeysWrapper ending(List<KeyWrapper> keys, Duration lifetime) {
        return new PublicKeysWrapper(keys, Time.currentTimeMillis() + lifetime.toMillis());
    }
}
