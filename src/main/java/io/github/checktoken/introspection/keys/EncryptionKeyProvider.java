package io.github.checktoken.introspection.keys;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

import org.keycloak.models.ClientModel;
import org.keycloak.provider.Provider;

import io.github.checktoken.introspection.jose.AnswerEncrypter;
import org.apache.http.impl.client.CloseableHttpClient;

/** Finds the public keys that answers to data providers are encrypted to, from the Keys tabs of their clients. */
public record EncryptionKeyProvider(
        EncryptionKeyCache cache, JwksLoader loader, Semaphore longWaits, CloseableHttpClient http)
        implements Provider {

    /**
     * Returns a known key at once and, if it is due, loads its set again in the background. If no key is known, each
     * caller waits up to 0.3 seconds for its load, and at most 16 callers on a node up to 3.2 seconds. No caller waits
     * for a host whose last load was slow and gave no key.
     *
     * @param algorithm JWE {@code alg}
     * @return empty if there is no key that fits, for whatever reason
     */
    public Optional<AnswerEncrypter> find(ClientModel client, String algorithm) {
        return ClientJwks.of(client)
                .map(jwks -> known(client, jwks, algorithm).orWait(System.nanoTime(), load -> load.await(longWaits)))
                .flatMap(known -> known.usable(System.nanoTime()));
    }

    /**
     * Why there is no key. Starts no load.
     *
     * @param algorithm JWE {@code alg}
     * @return in English and printable ASCII, without a full stop, for the data provider
     */
    public String failure(ClientModel client, String algorithm) {
        return ClientJwks.of(client).isEmpty()
                ? "the client has neither a JWKS URL nor a JWKS"
                : knownStatus(client, algorithm)
                        .flatMap(EncryptionKeyStatus::failure)
                        .orElse("the JWKS is not loaded yet");
    }

    /** Starts to load the set if that is due, and does not wait for it. */
    public void prepare(ClientModel client, String algorithm) {
        ClientJwks.of(client).ifPresent(jwks -> known(client, jwks, algorithm));
    }

    /**
     * The status of a key, for administrators. If no key is known, this waits for its load.
     *
     * @param algorithm JWE {@code alg}
     * @param deadline how long to wait at most, as a value of {@link System#nanoTime()}
     */
    public EncryptionKeyStatus status(ClientModel client, ClientJwks jwks, String algorithm, long deadline) {
        return known(client, jwks, algorithm)
                .orWait(System.nanoTime(), load -> load.awaitUntil(deadline))
                .status(System.nanoTime());
    }

    /** The data providers whose keys this node has looked for since it started. */
    public Set<KnownDataProvider> knownDataProviders() {
        return cache.known();
    }

    /**
     * Whether no load from the client's JWKS URL has given a key for this time or longer. Starts no load.
     *
     * @param time from the first of these loads to the last one, which may have been a day ago at most
     * @param algorithm JWE {@code alg}
     * @return why the last one gave none, in English; empty for an inline set
     */
    public Optional<String> failureFor(Duration time, ClientModel client, String algorithm) {
        return ClientJwks.of(client).flatMap(jwks -> cache.failureFor(time, keyId(client, algorithm), jwks.url()));
    }

    /**
     * The status of a key, as far as this node knows. Starts no load.
     *
     * @param algorithm JWE {@code alg}
     * @return empty if this node has not looked for the key
     */
    public Optional<EncryptionKeyStatus> knownStatus(ClientModel client, String algorithm) {
        return ClientJwks.of(client)
                .flatMap(jwks -> cache.get(keyId(client, algorithm), jwks))
                .map(known -> known.status(System.nanoTime()));
    }

    /**
     * A client of a realm, by their ids.
     *
     * @param clientUuid not the client_id
     */
    public record KnownDataProvider(String realmId, String clientUuid) {}

    /** Starts to load the set if that is due. If a load is under way, it is the next one to start. */
    private CachedEncryptionKey known(ClientModel client, ClientJwks jwks, String algorithm) {
        String realmName = client.getRealm().getName();
        CachedEncryptionKey known =
                cache.find(keyId(client, algorithm), jwks, (url, slow) -> loader.load(url, slow, http, realmName));
        if (known.load() != null) {
            jwks.url().ifPresent(loader::prioritize);
        }
        return known;
    }

    private static EncryptionKeyCache.KeyId keyId(ClientModel client, String algorithm) {
        return new EncryptionKeyCache.KeyId(
                new KnownDataProvider(client.getRealm().getId(), client.getId()), algorithm);
    }

    @Override
    public void close() {
        // The factory holds everything.
    }
}
