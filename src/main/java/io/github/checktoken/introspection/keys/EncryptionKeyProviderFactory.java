package io.github.checktoken.introspection.keys;

import java.util.concurrent.Semaphore;

import org.keycloak.Config;
import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/** Holds this node's cache of the data providers' keys, and the threads that load them. */
public final class EncryptionKeyProviderFactory extends AbstractProviderFactory
        implements ProviderFactory<EncryptionKeyProvider> {

    /** How many callers wait longer than 0.3 s. Keycloak has 50 threads or more, so the others stay free for logins. */
    private static final int LONG_WAITS = 16;

    private final EncryptionKeyCache cache = new EncryptionKeyCache(System::nanoTime);
    private final Semaphore longWaits = new Semaphore(LONG_WAITS);
    private JwksLoader loader;

    @Override
    public String getId() {
        return "default";
    }

    @Override
    public EncryptionKeyProvider create(KeycloakSession session) {
        return new EncryptionKeyProvider(
                cache,
                loader,
                longWaits,
                session.getProvider(HttpClientProvider.class).getHttpClient());
    }

    @Override
    public void init(Config.Scope config) {
        loader = new JwksLoader();
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        factory.register(new KeyWithdrawalListener(cache, factory));
    }

    @Override
    public void close() {
        loader.close();
    }
}
