package io.github.checktoken.introspection.endpoint;

import java.util.Map;

import org.keycloak.models.KeycloakSession;
import org.keycloak.provider.ServerInfoAwareProviderFactory;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.services.resource.RealmResourceProviderFactory;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.StartReport;
import io.github.checktoken.keycloak.UnsupportedVersion;

/**
 * The common part of this project's realm resource factories: what answers if this version of Keycloak lacks something,
 * and the JAR's version.
 */
public abstract class RealmResourceFactory extends AbstractProviderFactory
        implements RealmResourceProviderFactory, ServerInfoAwareProviderFactory {

    private final Part part;

    protected RealmResourceFactory(Part part) {
        this.part = part;
    }

    /** @return null to answer 404. It is called only if Keycloak has what the part needs. */
    protected abstract Object resource(KeycloakSession session);

    @Override
    public final RealmResourceProvider create(KeycloakSession session) {
        if (!KeycloakCompatibility.supports(part)) {
            throw new UnsupportedVersion();
        }
        return new RealmResource(resource(session));
    }

    /** The JAR's version, shown in the Admin Console under Provider info. */
    @Override
    public final Map<String, String> getOperationalInfo() {
        return Map.of("checktoken", StartReport.version());
    }
}
