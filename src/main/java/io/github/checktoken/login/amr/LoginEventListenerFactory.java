package io.github.checktoken.login.amr;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.GlobalEventListenerFactory;

/** Creates {@link LoginEventListener}. */
public final class LoginEventListenerFactory extends GlobalEventListenerFactory {

    public static final String PROVIDER_ID = "checktoken-login";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public EventListenerProvider create(KeycloakSession session) {
        return new LoginEventListener(session);
    }
}
