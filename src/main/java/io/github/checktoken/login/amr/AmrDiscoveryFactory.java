package io.github.checktoken.login.amr;

import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCWellKnownProviderFactory;
import org.keycloak.wellknown.WellKnownProvider;
import org.keycloak.wellknown.WellKnownProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;

/**
 * Creates {@link AmrDiscovery}. It takes precedence over Keycloak's own factory. Any other custom factory with the
 * default priority, which is 1, takes precedence over this one.
 */
public final class AmrDiscoveryFactory extends AbstractProviderFactory implements WellKnownProviderFactory {

    public static final String PROVIDER_ID = "checktoken-openid-configuration";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public String getAlias() {
        return OIDCWellKnownProviderFactory.PROVIDER_ID;
    }

    /** The factory with the lowest priority is used. Keycloak's own has 100. */
    @Override
    public int getPriority() {
        return 99;
    }

    @Override
    public WellKnownProvider create(KeycloakSession session) {
        return new AmrDiscovery(session);
    }
}
