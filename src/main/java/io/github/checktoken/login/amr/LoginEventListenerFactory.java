package io.github.checktoken.login.amr;

import org.keycloak.events.EventListenerProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;

import io.github.checktoken.keycloak.GlobalEventListenerFactory;
import io.github.checktoken.keycloak.LoginGuard;

/** Creates {@link LoginEventListener}. */
public final class LoginEventListenerFactory extends GlobalEventListenerFactory {

    public static final String PROVIDER_ID = "checktoken-login";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    /** This factory is there whichever provider of authentication sessions is chosen. */
    @Override
    public void postInit(KeycloakSessionFactory factory) {
        LoginGuard.report(factory);
    }

    @Override
    public EventListenerProvider create(KeycloakSession session) {
        return new LoginEventListener(session);
    }
}
