package io.github.checktoken.keys;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.ClientModel;
import org.keycloak.provider.Provider;

/** The public keys of data providers for encryption, from the Keys tabs of their clients. */
public final class EncryptionKeys implements Provider {

    private final EncryptionKeysFactory factory;
    private final HttpClientProvider http;

    EncryptionKeys(EncryptionKeysFactory factory, HttpClientProvider http) {
        this.factory = factory;
        this.http = http;
    }

    /**
     * A key that is known is given at once and, from time to time, loaded again in the background. For one that is not
     * known yet the caller waits, 3 seconds at the most, and not at all for a host that was slow to fail the last time.
     *
     * @param algorithm JWE {@code alg}
     * @return empty when there is no key that fits, for whatever reason
     */
    public Optional<KeyWrapper> find(ClientModel client, String algorithm) {
        Optional<ClientJwks> jwks = ClientJwks.of(client);
        if (jwks.isEmpty()) {
            return Optional.empty();
        }
        KnownKey known = factory.known(client, algorithm);
        Optional<Load> load = load(known, jwks.get(), client);
        Optional<KeyWrapper> key = known.key();
        if (key.isPresent() || load.isEmpty()) {
            return key;
        }
        load.get().await(factory.longWaits());
        return known.key();
    }

    /** Begins to load a key that is not known, and waits for nothing. */
    public void prepare(ClientModel client, String algorithm) {
        ClientJwks.of(client).ifPresent(jwks -> load(factory.known(client, algorithm), jwks, client));
    }

    /**
     * What an administrator is told.
     *
     * @param deadline until when to wait for a key that is not known, of {@link System#nanoTime()}
     */
    public KeyState state(ClientModel client, String algorithm, long deadline) {
        KnownKey known = factory.known(client, algorithm);
        ClientJwks.of(client)
                .flatMap(jwks -> load(known, jwks, client))
                .filter(load -> known.key().isEmpty())
                .ifPresent(load -> load.awaitUntil(deadline));
        return known.state();
    }

    private Optional<Load> load(KnownKey known, ClientJwks jwks, ClientModel client) {
        Supplier<Optional<CompletableFuture<String>>> address = () -> factory.loader()
                .load(
                        jwks.url().orElseThrow(),
                        known.isSlow(),
                        http.getHttpClient(),
                        client.getRealm().getName());
        return known.load(jwks, address);
    }

    @Override
    public void close() {
        // The factory holds everything.
    }
}
