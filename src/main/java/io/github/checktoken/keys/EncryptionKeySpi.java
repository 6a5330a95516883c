package io.github.checktoken.keys;

import org.keycloak.provider.Provider;
import org.keycloak.provider.ProviderFactory;
import org.keycloak.provider.Spi;

/** Makes the data providers' keys a provider of Keycloak's, whose factory holds what this node knows of them. */
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
