package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jwk.JWK;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.keys.PublicKeyStorageProvider;
import org.keycloak.keys.PublicKeyStorageUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;
import org.keycloak.services.util.ResolveRelative;

/** The JWK Set that the Keys tab of a client names or holds. */
public final class ClientJwks {

    private final KeycloakSession session;
    private final ClientModel client;
    private final String url;
    private final String inline;

    private ClientJwks(KeycloakSession session, ClientModel client, String url, String inline) {
        this.session = session;
        this.client = client;
        this.url = url;
        this.inline = inline;
    }

    /** @return empty when neither an address nor a set is switched on and given; the address wins */
    public static Optional<ClientJwks> of(KeycloakSession session, ClientModel client) {
        OIDCAdvancedConfigWrapper config = OIDCAdvancedConfigWrapper.fromClientModel(client);
        if (config.isUseJwksUrl() && config.getJwksUrl() != null) {
            String url = ResolveRelative.resolveRelativeUri(session, client.getRootUrl(), config.getJwksUrl());
            return Optional.of(new ClientJwks(session, client, url, null));
        }
        return config.isUseJwksString() && config.getJwksString() != null
                ? Optional.of(new ClientJwks(session, client, null, config.getJwksString()))
                : Optional.empty();
    }

    /** @return the absolute address; empty for an inline set */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    /** @return all keys that a message can be encrypted to; empty also when the set cannot be had */
    List<KeyWrapper> keys(String algorithm) {
        return storage().keys(entry(algorithm), key -> EncryptionJwks.fits(key, algorithm), this::read);
    }

    /** @return what went wrong when this node last loaded the set, in English; empty when nothing did, or it never has */
    public Optional<String> failure(String algorithm) {
        return storage().failure(entry(algorithm));
    }

    private String read() throws IOException {
        return url == null
                ? inline
                : new JwksRequest(
                                session.getProvider(HttpClientProvider.class).getHttpClient(),
                                client.getRealm().getName())
                        .get(url);
    }

    private JwksStorage storage() {
        return new JwksStorage(session.getProvider(PublicKeyStorageProvider.class), client.getClientId());
    }

    /**
     * The address, or the inline set, is in the entry's name, so that another never serves the keys of the last one. As a
     * hash: Keycloak logs these names.
     */
    private String entry(String algorithm) {
        return PublicKeyStorageUtils.getClientModelCacheKey(
                        client.getRealm().getId(), client.getId(), JWK.Use.ENCRYPTION)
                + "::" + algorithm + "::"
                + HashUtils.sha256UrlEncodedHash(url == null ? inline : url, StandardCharsets.UTF_8);
    }
}
