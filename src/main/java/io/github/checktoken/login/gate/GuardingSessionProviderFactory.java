package io.github.checktoken.login.gate;

import java.util.Comparator;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderFactory;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.AuthenticationSessionProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.login.gate.lock.TabLocks;

/**
 * Wraps the provider of authentication sessions that Keycloak would use without this project. Keycloak uses the provider
 * with the highest order; its own have 1 at most.
 */
public final class GuardingSessionProviderFactory extends AbstractProviderFactory
        implements AuthenticationSessionProviderFactory<AuthenticationSessionProvider>, LoginGuard.Guarding {

    private final TabLocks locks = new TabLocks();
    private String delegate;

    @Override
    public String getId() {
        return LoginGuard.PROVIDER_ID;
    }

    @Override
    public int order() {
        return 100;
    }

    @Override
    public AuthenticationSessionProvider create(KeycloakSession session) {
        AuthenticationSessionProvider ofKeycloak = session.getProvider(AuthenticationSessionProvider.class, delegate);
        return KeycloakCompatibility.supports(Part.LOGIN)
                ? new GuardingSessionProvider(session, ofKeycloak, locks)
                : ofKeycloak;
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        delegate = factory.getProviderFactoriesStream(AuthenticationSessionProvider.class)
                .filter(other -> other != this)
                .max(Comparator.comparing(ProviderFactory::order))
                .map(ProviderFactory::getId)
                .orElseThrow(() -> new IllegalStateException("Keycloak has no provider of authentication sessions"));
    }
}
