package io.github.checktoken.dataprovider;

import java.util.Comparator;
import java.util.Optional;

import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.KeycloakSession;

/** A data provider's public key for encryption, from the Keys tab of its client. */
public final class EncryptionKeys {

    private final KeycloakSession session;

    public EncryptionKeys(KeycloakSession session) {
        this.session = session;
    }

    /** @return the key that fits the data provider's algorithm best; empty when there is none, for whatever reason */
    public Optional<KeyWrapper> find(DataProvider dataProvider) {
        String algorithm = dataProvider.config().keyAlgorithm();
        return ClientJwks.of(session, dataProvider.client()).stream()
                .flatMap(jwks -> jwks.keys(algorithm).stream())
                .filter(key -> EncryptionJwks.fits(key, algorithm))
                .min(preference(algorithm));
    }

    /** A key that names the algorithm before one that names none, one for encryption before one for anything. */
    private static Comparator<KeyWrapper> preference(String algorithm) {
        return Comparator.<KeyWrapper, Boolean>comparing(key -> !algorithm.equals(key.getAlgorithm()))
                .thenComparing(key -> key.getUse() != KeyUse.ENC);
    }
}
