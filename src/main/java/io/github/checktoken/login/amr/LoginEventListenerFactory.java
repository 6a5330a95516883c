package io.github.checktoken.login.amr;

import org.keycloak.Config;
import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.EventListenerProviderFactory;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;

/**
 * Registers the listener in every realm, so that administrators need not enable it and cannot disable it by mistake.
 */
public final class LoginEventListenerFactory implements EventListenerProviderFactory {

    public static final String PROVIDER_ID = "checktoken-login";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public boolean isGlobal() {
        return true;
    }

    @Override
    public EventListenerProvider create(KeycloakSession session) {
        return new LoginEventListener(session);
    }

    @Override
    public void init(Config.Scope config) {}

    @Override
    public void postInit(KeycloakSessionFactory factory) {}

    @Override
    public void close() {}
}
