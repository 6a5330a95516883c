package io.github.checktoken.introspection.endpoint;

import java.util.Map;

import org.keycloak.Config;
import org.keycloak.provider.ServerInfoAwareProviderFactory;
import org.keycloak.services.resource.RealmResourceProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.KeycloakCompatibility;

/** The common part of this project's realm resource factories: the check of Keycloak at start, and the JAR's version. */
public abstract class RealmResourceFactory extends AbstractProviderFactory
        implements RealmResourceProviderFactory, ServerInfoAwareProviderFactory {

    @Override
    public void init(Config.Scope config) {
        KeycloakCompatibility.require();
    }

    /** The JAR's version, shown in the Admin Console under Provider info. */
    @Override
    public final Map<String, String> getOperationalInfo() {
        String version = getClass().getPackage().getImplementationVersion();
        return Map.of("checktoken", version == null ? "unpackaged" : version);
    }
}
