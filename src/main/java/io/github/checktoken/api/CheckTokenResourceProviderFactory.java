package io.github.checktoken.api;

import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resource.RealmResourceProvider;

import io.github.checktoken.introspection.CheckTokenEndpoint;

/** The short name of the introspection endpoint: {@code /realms/{realm}/checktoken}. */
public final class CheckTokenResourceProviderFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "checktoken";

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmResource(new CheckTokenEndpoint(session));
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
