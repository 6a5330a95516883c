package io.github.checktoken.support.realmuse;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.services.resource.RealmResourceProviderFactory;

/** Makes {@link RealmUseProvider}, at {@code /realms/{realm}/realm-use}. */
public final class RealmUseProviderFactory implements RealmResourceProviderFactory {

    static final String ID = "realm-use";

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmUseProvider(session);
    }

    @Override
    public void init(Config.Scope config) {
        // It has no settings.
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        // It needs nothing of other providers.
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
