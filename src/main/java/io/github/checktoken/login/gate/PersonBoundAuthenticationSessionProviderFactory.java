package io.github.checktoken.login.gate;

import java.util.Comparator;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.provider.ProviderFactory;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.AuthenticationSessionProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/**
 * Wraps the provider of authentication sessions that Keycloak would use without this project. Keycloak uses the provider
 * with the highest order; its own have 1 at most.
 */
public final class PersonBoundAuthenticationSessionProviderFactory extends AbstractProviderFactory
        implements AuthenticationSessionProviderFactory<AuthenticationSessionProvider> {

    public static final String PROVIDER_ID = "checktoken";

    private final NodeLocks locks = new NodeLocks(NodeLocks.LONGEST_WAIT, NodeLocks.LONGEST_HOLD);
    private String delegate;

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public int order() {
        return 100;
    }

    @Override
    public AuthenticationSessionProvider create(KeycloakSession session) {
        return new PersonBoundAuthenticationSessionProvider(
                session, session.getProvider(AuthenticationSessionProvider.class, delegate), locks);
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        delegate = factory.getProviderFactoriesStream(AuthenticationSessionProvider.class)
                .filter(other -> other != this)
                .max(Comparator.comparing(ProviderFactory::order))
                .map(ProviderFactory::getId)
                .orElseThrow(() -> new IllegalStateException("Keycloak has no provider of authentication sessions"));
    }

    /**
     * @throws IllegalStateException if Keycloak was told to use another provider, which would leave logins unguarded;
     *     Keycloak then ends its start with the message
     */
    static void requireInUse(KeycloakSessionFactory factory) {
        if (!(factory.getProviderFactory(AuthenticationSessionProvider.class)
                instanceof PersonBoundAuthenticationSessionProviderFactory)) {
            throw new IllegalStateException("checktoken must guard the authentication sessions, but an option chooses"
                    + " another provider for them. Remove spi-authentication-sessions--provider,"
                    + " spi-authentication-sessions--provider-default and"
                    + " spi-authentication-sessions--checktoken--enabled from the options of Keycloak's build, or"
                    + " remove keycloak-checktoken from providers/.");
        }
    }
}
