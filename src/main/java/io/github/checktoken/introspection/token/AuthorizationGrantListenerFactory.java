package io.github.checktoken.introspection.token;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.GlobalEventListenerFactory;

/** Creates {@link AuthorizationGrantListener}. */
public final class AuthorizationGrantListenerFactory extends GlobalEventListenerFactory {

    public static final String PROVIDER_ID = "checktoken-authorization-grant";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public EventListenerProvider create(KeycloakSession session) {
        return new AuthorizationGrantListener(session);
    }
}
