package io.github.checktoken.login.pin;

import org.keycloak.credential.CredentialProviderFactory;
import org.keycloak.models.KeycloakSession;

/** Makes the credential type {@code pin} known to Keycloak. */
public final class PinCredentialProviderFactory implements CredentialProviderFactory<PinCredentialProvider> {

    static final String PROVIDER_ID = "pin";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public PinCredentialProvider create(KeycloakSession session) {
        return new PinCredentialProvider(session);
    }
}
