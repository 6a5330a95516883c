package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.PublicKeysWrapper;
import org.keycloak.jose.jwk.JWK;
import org.keycloak.keys.PublicKeyStorageProvider;
import org.keycloak.keys.PublicKeyStorageUtils;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCAdvancedConfigWrapper;
import org.keycloak.services.util.ResolveRelative;

import org.jboss.logging.Logger;

/**
 * A data provider's public key for encryption, from the Keys tab of its client.
 *
 * <p>What is fetched is kept in Keycloak's {@link PublicKeyStorageProvider}, which fetches once however many ask, at most
 * every 10 s. The storage knows one time per entry, so the rest is in when an entry ends: keys of which one fits live 5
 * minutes; keys of which none fits, and what was known before a fetch that failed, live 10 s.
 */
public final class EncryptionKeys {

    static final Duration LIFETIME = Duration.ofMinutes(5);
    static final Duration RETRY = Duration.ofSeconds(10);

    private static final Logger logger = Logger.getLogger(EncryptionKeys.class);

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
        if (config.isUseJwksUrl()) {
            String url = ResolveRelative.resolveRelativeUri(session, client.getRootUrl(), config.getJwksUrl());
            return fetched(client, url, algorithm);
        }
        return config.isUseJwksString() ? inline(client, config.getJwksString()) : List.of();
    }

    private List<KeyWrapper> inline(ClientModel client, String jwks) {
        try {
            return EncryptionJwks.parse(jwks);
        } catch (IOException e) {
            warn(client, e);
            return List.of();
        }
    }

    /** The address is in the entry's name, so that another address never serves the keys of the last one. */
    private List<KeyWrapper> fetched(ClientModel client, String url, String algorithm) {
        String entry = PublicKeyStorageUtils.getClientModelCacheKey(
                        client.getRealm().getId(), client.getId(), JWK.Use.ENCRYPTION)
                + "::" + algorithm + "::" + url;
        PublicKeyStorageProvider storage = session.getProvider(PublicKeyStorageProvider.class);
        return storage.getKeys(entry, () -> load(client, url, algorithm, entry + "::known"));
    }

    private PublicKeysWrapper load(ClientModel client, String url, String algorithm, String known) {
        PublicKeyStorageProvider storage = session.getProvider(PublicKeyStorageProvider.class);
        try {
            List<KeyWrapper> keys = EncryptionJwks.parse(new JwksRequest(session).get(url));
            storage.reloadKeys(known, () -> new PublicKeysWrapper(keys));
            boolean fit = keys.stream().anyMatch(key -> EncryptionJwks.fits(key, algorithm));
            return ending(keys, fit ? LIFETIME : RETRY);
        } catch (IOException e) {
            warn(client, e);
            return ending(storage.getKeys(known, () -> PublicKeysWrapper.EMPTY), RETRY);
        }
    }

    private static PublicKeysWrapper ending(List<KeyWrapper> keys, Duration lifetime) {
        return new PublicKeysWrapper(keys, Time.currentTimeMillis() + lifetime.toMillis());
    }

    private static void warn(ClientModel client, IOException e) {
        logger.warnf("No encryption keys from the JWKS of data provider '%s': %s", client.getClientId(), e);
    }
}
