package io.github.checktoken.introspection.token;

import java.util.Optional;
import java.util.Set;

import org.keycloak.component.ComponentModel;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.jose.jws.JWSHeader;
import org.keycloak.keys.Attributes;
import org.keycloak.keys.GeneratedAesKeyProviderFactory;
import org.keycloak.keys.GeneratedEcdhKeyProviderFactory;
import org.keycloak.keys.GeneratedRsaEncKeyProviderFactory;
import org.keycloak.keys.ImportedRsaEncKeyProviderFactory;
import org.keycloak.keys.KeyProvider;
import org.keycloak.keys.KeyProviderFactory;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

/**
 * The realm key that a token names. Keycloak leaves out keys that it cannot load, such as one of a file that is away, so
 * a token that was signed with it would look forged.
 */
record TokenKey(KeycloakSession session) {

    private static final Set<String> ENCRYPTION = Set.of(
            GeneratedAesKeyProviderFactory.ID,
            GeneratedEcdhKeyProviderFactory.ID,
            GeneratedRsaEncKeyProviderFactory.ID,
            ImportedRsaEncKeyProviderFactory.ID);

    /**
     * @return empty if the realm has no such key
     * @throws RuntimeException if there is one that cannot be loaded, which may be it
     */
    Optional<KeyWrapper> find(JWSHeader header) {
        if (header.getKeyId() == null) {
            return Optional.empty();
        }
        RealmModel realm = session.getContext().getRealm();
        String algorithm = header.getAlgorithm().name();
        KeyWrapper key = session.keys().getKey(realm, header.getKeyId(), KeyUse.SIG, algorithm);
        if (key == null) {
            realm.getComponentsStream(realm.getId(), KeyProvider.class.getName())
                    .filter(component -> component.get(Attributes.ENABLED_KEY, true) && !isForEncryption(component))
                    .forEach(this::load);
        }
        return Optional.ofNullable(key);
    }

    private static boolean isForEncryption(ComponentModel component) {
        return ENCRYPTION.contains(component.getProviderId())
                || KeyUse.ENC.name().equalsIgnoreCase(component.get(Attributes.KEY_USE));
    }

    /** Of an extension that was removed, there is no factory. */
    private void load(ComponentModel component) {
        KeyProviderFactory<?> factory = (KeyProviderFactory<?>)
                session.getKeycloakSessionFactory().getProviderFactory(KeyProvider.class, component.getProviderId());
        if (factory != null) {
            factory.create(session, component).close();
        }
    }
}
