package io.github.checktoken.introspection.admin;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;

import io.github.checktoken.introspection.endpoint.RealmResourceFactory;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.StartReport;

/** Provides the page for administrators, {@code /realms/{realm}/data-providers}, if the server's settings switch it on. */
public final class DataProvidersPageFactory extends RealmResourceFactory {

    public static final String PROVIDER_ID = "data-providers";

    private boolean isOn;

    public DataProvidersPageFactory() {
        super(Part.ADMIN);
    }

    @Override
    public void init(Config.Scope config) {
        // Not "enabled", which Keycloak reads when it is built.
        isOn = config.getBoolean("page", false);
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        StartReport.tell(
                Part.ADMIN,
                () -> "/admin/realms/{realm}/checktoken"
                        + (isOn ? ", and the page /realms/{realm}/data-providers" : ""));
    }

    @Override
    protected Object resource(KeycloakSession session) {
        return isOn ? new DataProvidersPage(session) : null;
    }

    @Override
    public String getId() {
        return PROVIDER_ID;
    }
}
