package io.github.checktoken.introspection.endpoint;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resource.RealmResourceProvider;

/** Provides the versioned paths of the service: everything under {@code /realms/{realm}/api/}. */
public final class ApiResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "api";

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmResource(new ApiResource(session));
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
