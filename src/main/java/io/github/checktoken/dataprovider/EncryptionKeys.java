package io.github.checktoken.dataprovider;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.keycloak.connections.httpclient.HttpClientProvider;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jwk.JWK;
import org.keycloak.jose.jws.crypto.HashUtils;
import org.keycloak.keys.PublicKeyStorageProvider;
import org.keycloak.keys.PublicKeyStorageUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;
import org.keycloak.services.util.ResolveRelative;

/** A data provider's public key for encryption, from the Keys tab of its client. */
public final class EncryptionKeys {

    private final KeycloakSession session;

    public EncryptionKeys(KeycloakSession session) {
        this.session = session;
    }

    /** @return the key that fits the data provider's algorithm best; empty when there is none, for whatever reason */
    public Optional<KeyWrapper> find(DataProvider dataProvider) {
        String algorithm = dataProvider.config().keyAlgorithm();
        return keys(dataProvider.client(), algorithm).stream()
                .filter(key -> EncryptionJwks.fits(key, algorithm))
                .min(preference(algorithm));
    }

    /** A key that names the algorithm before one that names none, one for encryption before one for anything. */
    private static Comparator<KeyWrapper> preference(String algorithm) {
        return Comparator.<KeyWrapper, Boolean>comparing(key -> !algorithm.equals(key.getAlgorithm()))
                .thenComparing(key -> key.getUse() != KeyUse.ENC);
    }

    private List<KeyWrapper> keys(ClientModel client, String algorithm) {
        OIDCAdvancedConfigWrapper config = OIDCAdvancedConfigWrapper.fromClientModel(client);
        if (config.isUseJwksUrl() && config.getJwksUrl() != null) {
            String url = ResolveRelative.resolveRelativeUri(session, client.getRootUrl(), config.getJwksUrl());
            JwksRequest request = new JwksRequest(
                    session.getProvider(HttpClientProvider.class).getHttpClient());
            return stored(client, algorithm, url, () -> request.get(url));
        }
        if (config.isUseJwksString() && config.getJwksString() != null) {
            return stored(client, algorithm, config.getJwksString(), config::getJwksString);
        }
        return List.of();
    }

    /**
     * The address, or the inline set, is in the entry's name, so that another never serves the keys of the last one. As a
     * hash: Keycloak logs these names.
     */
    private List<KeyWrapper> stored(ClientModel client, String algorithm, String origin, JwksStorage.Source source) {
        String entry = PublicKeyStorageUtils.getClientModelCacheKey(
                        client.getRealm().getId(), client.getId(), JWK.Use.ENCRYPTION)
                + "::" + algorithm + "::" + HashUtils.sha256UrlEncodedHash(origin, StandardCharsets.UTF_8);
        return new JwksStorage(session.getProvider(PublicKeyStorageProvider.class), client.getClientId())
                .keys(entry, key -> EncryptionJwks.fits(key, algorithm), source);
    }
}
