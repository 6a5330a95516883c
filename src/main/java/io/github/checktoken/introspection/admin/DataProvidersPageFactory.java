package io.github.checktoken.introspection.admin;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resource.RealmResourceProvider;

import io.github.checktoken.introspection.endpoint.RealmResource;
import io.github.checktoken.introspection.endpoint.RealmResourceFactory;

/** Provides the page for administrators, {@code /realms/{realm}/data-providers}, if the server's settings switch it on. */
public final class DataProvidersPageFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "data-providers";

    private boolean isOn;

    @Override
    public void init(Config.Scope config) {
        super.init(config);
        // Not "enabled", which Keycloak reads when it is built.
        isOn = config.getBoolean("page", false);
    }

    @Override
    public RealmResourceProvider create(KeycloakSession session) {
        return new RealmResource(isOn ? new DataProvidersPage(session) : null);
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
