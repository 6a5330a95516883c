package io.github.checktoken.login.gate;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.GlobalEventListenerFactory;

/** Creates {@link SessionIdListener}. */
public final class SessionIdListenerFactory extends GlobalEventListenerFactory {

    public static final String PROVIDER_ID = "checktoken-session-id";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public EventListenerProvider create(KeycloakSession session) {
        return new SessionIdListener(session);
    }
}
