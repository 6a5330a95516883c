package io.github.checktoken.login.amr;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.EventListenerProviderFactory;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/**
 * Registers the listener in every realm, so that administrators need not enable it and cannot disable it by mistake.
 */
public final class LoginEventListenerFactory extends AbstractProviderFactory implements EventListenerProviderFactory {

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
}
