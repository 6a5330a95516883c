package io.github.checktoken.introspection.admin;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resources.admin.AdminEventBuilder;
import org.keycloak.services.resources.admin.ext.AdminRealmResourceProvider;
import org.keycloak.services.resources.admin.ext.AdminRealmResourceProviderFactory;
import org.keycloak.services.resources.admin.fgap.AdminPermissionEvaluator;

import io.github.checktoken.keycloak.AbstractProviderFactory;
import io.github.checktoken.keycloak.KeycloakCompatibility;
import io.github.checktoken.keycloak.Part;
import io.github.checktoken.keycloak.UnsupportedVersion;

/** Provides the resources for administrators under {@code /admin/realms/{realm}/checktoken/}. */
public final class AdminResourceProviderFactory extends AbstractProviderFactory
        implements AdminRealmResourceProviderFactory, AdminRealmResourceProvider {

    public static final String PROVIDER_ID = "checktoken";

    @Override
    public String getId() {
        return PROVIDER_ID;
    }

    @Override
    public AdminRealmResourceProvider create(KeycloakSession session) {
        return this;
    }

    @Override
    public Object getResource(
            KeycloakSession session, RealmModel realm, AdminPermissionEvaluator auth, AdminEventBuilder event) {
        if (!KeycloakCompatibility.supports(Part.ADMIN)) {
            throw new UnsupportedVersion();
        }
        return new DataProvidersResource(session, realm, auth);
    }
}
