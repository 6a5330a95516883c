package io.github.checktoken.keys;

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

/** Holds what this node knows of the data providers' keys, and the threads that load them. */
public final class EncryptionKeyProviderFactory implements ProviderFactory<EncryptionKeyProvider> {

    /** One key each, of 10 KB at the most. The one that was not asked for longest makes room. */
    private static final int MAX_KNOWN = 5000;

    /** Callers who wait for a slow host. Keycloak has 50 threads or more: the others stay free for logins. */
    private static final int LONG_WAITS = 16;

    private final Map<Name, CachedEncryptionKey> known =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Name, CachedEncryptionKey> eldest) {
                    return size() > MAX_KNOWN;
                }
            });
    private final Semaphore longWaits = new Semaphore(LONG_WAITS);
    private JwksLoader loader;

    private record Name(String realmId, String clientUuid, String algorithm) {}

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
                new Name(client.getRealm().getId(), client.getId(), algorithm),
                name -> new CachedEncryptionKey(algorithm));
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
        // Nothing depends on other providers at start.
    }

    @Override
    public void close() {
        loader.close();
    }
}
