package io.github.checktoken.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.PublicKeysWrapper;
import org.keycloak.keys.PublicKeyLoader;
import org.keycloak.keys.PublicKeyStorageProvider;

/**
 * The rules of Keycloak's own storage without its cache, for tests that cannot wait: one load per entry at a time, at
 * most every 10 s, when the entry has ended; whole seconds; a failed load throws and changes nothing.
 */
final class LocalKeyStorage implements PublicKeyStorageProvider {

    private record Entry(int requested, PublicKeysWrapper keys) {}

    private static final int MIN_TIME_BETWEEN_REQUESTS = 10;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<String, FutureTask<Entry>> loads = new ConcurrentHashMap<>();

    @Override
    public List<KeyWrapper> getKeys(String name, PublicKeyLoader loader) {
        Entry entry = entries.get(name);
        if (entry == null || Time.currentTime() > entry.keys.getExpirationTime() / 1000 && mayLoad(entry)) {
            entry = load(name, loader);
        }
        return entry.keys.getKeys().stream().map(KeyWrapper::cloneKey).toList();
    }

    private Entry load(String name, PublicKeyLoader loader) {
        FutureTask<Entry> task = new FutureTask<>(() -> {
            Entry entry = entries.get(name);
            if (entry == null || mayLoad(entry)) {
                entry = new Entry(Time.currentTime(), loader.loadKeys());
                entries.put(name, entry);
            }
            return entry;
        });
        FutureTask<Entry> existing = loads.putIfAbsent(name, task);
        if (existing == null) {
            task.run();
            loads.remove(name);
        }
        try {
            return (existing == null ? task : existing).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean mayLoad(Entry entry) {
        return Time.currentTime() > entry.requested + MIN_TIME_BETWEEN_REQUESTS;
    }

    @Override
    public KeyWrapper getPublicKey(String name, String kid, String algorithm, PublicKeyLoader loader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyWrapper getFirstPublicKey(String name, String algorithm, PublicKeyLoader loader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyWrapper getFirstPublicKey(String name, Predicate<KeyWrapper> predicate, PublicKeyLoader loader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean reloadKeys(String name, PublicKeyLoader loader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
