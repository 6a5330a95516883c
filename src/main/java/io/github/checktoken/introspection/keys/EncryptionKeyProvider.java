package io.github.checktoken.introspection.keys;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.models.ClientModel;
import org.keycloak.provider.Provider;

import io.github.checktoken.introspection.jose.AnswerEncrypter;

/** Finds the public keys that answers to data providers are encrypted to, from the Keys tabs of their clients. */
public final class EncryptionKeyProvider implements Provider {

    private final EncryptionKeyProviderFactory factory;
    private final HttpClientProvider http;

    EncryptionKeyProvider(EncryptionKeyProviderFactory factory, HttpClientProvider http) {
        this.factory = factory;
        this.http = http;
    }

    /**
     * Returns a known key at once and, if it is due, loads its set again in the background. If no key is known, each
     * caller waits up to 0.3 seconds for its load, and at most 16 callers on a node up to 3.2 seconds. No caller waits
     * for a host whose last load was slow and gave no key.
     *
     * @param algorithm JWE {@code alg}
     * @return empty if there is no key that fits, for whatever reason
     */
    public Optional<AnswerEncrypter> find(ClientModel client, String algorithm) {
        Optional<ClientJwks> jwks = ClientJwks.of(client);
        if (jwks.isEmpty()) {
            return Optional.empty();
        }
        CachedEncryptionKey known = factory.known(client, algorithm);
        return known.await(() -> load(known, jwks.get(), client), factory.longWaits());
    }

    /** Starts to load the set if that is due, and does not wait for it. */
    public void prepare(ClientModel client, String algorithm) {
        ClientJwks.of(client).ifPresent(jwks -> load(factory.known(client, algorithm), jwks, client));
    }

    /**
     * The status of a key, for administrators. If no key is known, this waits for its load.
     *
     * @param algorithm JWE {@code alg}
     * @param deadline how long to wait at most, as a value of {@link System#nanoTime()}
     */
    public EncryptionKeyStatus status(ClientModel client, ClientJwks jwks, String algorithm, long deadline) {
        CachedEncryptionKey known = factory.known(client, algorithm);
        load(known, jwks, client)
                .filter(load -> known.encrypter().isEmpty())
                .ifPresent(load -> load.awaitUntil(deadline));
        return known.status();
    }

    private Optional<PendingJwksLoad> load(CachedEncryptionKey known, ClientJwks jwks, ClientModel client) {
        Function<String, Optional<CompletableFuture<FetchedJwks>>> fetch = url -> factory.loader()
                .load(
                        url,
                        known.isSlow(),
                        http.getHttpClient(),
                        client.getRealm().getName());
        Optional<PendingJwksLoad> load = known.load(jwks, fetch);
        jwks.url().ifPresent(factory.loader()::prioritize);
        return load;
    }

    @Override
    public void close() {
        // The factory holds everything.
    }
}
