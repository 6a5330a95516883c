package io.github.checktoken.introspection.keys;

import org.keycloak.provider.Provider;
import org.keycloak.provider.ProviderFactory;
import org.keycloak.provider.Spi;

/** Registers {@link EncryptionKeyProvider} with Keycloak, so that its factory can hold this node's cache of keys. */
public final class EncryptionKeySpi implements Spi {

    @Override
    public boolean isInternal() {
        return false;
    }

    @Override
    public String getName() {
        return "checktoken-encryption-keys";
    }

    @Override
    public Class<? extends Provider> getProviderClass() {
        return EncryptionKeyProvider.class;
    }

    @Override
    public Class<? extends ProviderFactory<?>> getProviderFactoryClass() {
        return EncryptionKeyProviderFactory.class;
    }
}
