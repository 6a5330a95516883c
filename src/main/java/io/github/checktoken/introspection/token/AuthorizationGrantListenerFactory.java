package io.github.checktoken.introspection.token;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.events.EventListenerProviderFactory;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/** Registers the listener in every realm, so that administrators cannot disable it by mistake. */
public final class AuthorizationGrantListenerFactory extends AbstractProviderFactory
        implements EventListenerProviderFactory {

    public static final String PROVIDER_ID = "checktoken-authorization-grant";

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
        return new AuthorizationGrantListener(session);
    }
}
