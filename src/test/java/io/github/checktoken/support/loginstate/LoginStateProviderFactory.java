package io.github.checktoken.support.loginstate;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.services.resource.RealmResourceProviderFactory;

/** Makes {@link LoginStateProvider}, at {@code /realms/{realm}/login-state}. */
public final class LoginStateProviderFactory implements RealmResourceProviderFactory {

    static final String ID = "login-state";

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new LoginStateProvider(session);
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
