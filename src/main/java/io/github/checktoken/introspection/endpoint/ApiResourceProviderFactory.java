package io.github.checktoken.introspection.endpoint;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.keycloak.Part;

/** Provides the versioned paths of the service: everything under {@code /realms/{realm}/api/}. */
public final class ApiResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "api";

    public ApiResourceProviderFactory() {
        super(Part.INTROSPECTION);
    }

    @Override
    protected Object resource(KeycloakSession session) {
        return new ApiResource(session);
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
