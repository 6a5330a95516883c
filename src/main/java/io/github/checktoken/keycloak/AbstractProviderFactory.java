package io.github.checktoken.keycloak;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSessionFactory;

/** A {@link org.keycloak.provider.ProviderFactory} that reads no options and holds nothing, unless it overrides these. */
public abstract class AbstractProviderFactory {

    public void init(Config.Scope config) {}

    public void postInit(KeycloakSessionFactory factory) {}

    public void close() {}
}
