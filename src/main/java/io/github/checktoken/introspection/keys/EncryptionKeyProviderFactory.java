package io.github.checktoken.introspection.keys;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

import org.keycloak.Config;
import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderFactory;

import io.github.checktoken.introspection.jose.EcdhProvider;

/** Holds this node's cache of the data providers' keys, and the threads that load them. */
public final class EncryptionKeyProviderFactory implements ProviderFactory<EncryptionKeyProvider> {

    /**
     * Each entry holds one key, at most 10 KB, and no inline set: 50 MB at most in all. The least recently used entry is
     * removed first.
     */
    private static final int MAX_KNOWN = 5000;

    /** How many callers wait longer than 0.3 s. Keycloak has 50 threads or more, so the others stay free for logins. */
    private static final int LONG_WAITS = 16;

    private final Map<CacheKey, CachedEncryptionKey> known =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<CacheKey, CachedEncryptionKey> eldest) {
                    return size() > MAX_KNOWN;
                }
            });
    private final Semaphore longWaits = new Semaphore(LONG_WAITS);
    private JwksLoader loader;

    private record CacheKey(String realmId, String clientUuid, String algorithm) {}

    @Override
    public String getId() {
        return "default";
    }

    @Override
    public EncryptionKeyProvider create(KeycloakSession session) {
        return new EncryptionKeyProvider(this, session.getProvider(HttpClientProvider.class));
    }

    CachedEncryptionKey known(ClientModel client, String algorithm) {
        return known.computeIfAbsent(
                new CacheKey(client.getRealm().getId(), client.getId(), algorithm),
                cacheKey -> new CachedEncryptionKey(algorithm, System::nanoTime));
    }

    Semaphore longWaits() {
        return longWaits;
    }

    JwksLoader loader() {
        return loader;
    }

    @Override
    public void init(Config.Scope config) {
        loader = new JwksLoader();
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        EcdhProvider.choose();
    }

    @Override
    public void close() {
        loader.close();
    }
}
