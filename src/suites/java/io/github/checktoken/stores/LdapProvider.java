package io.github.checktoken.stores;

import java.util.List;
import java.util.Map;

import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.server.DirectoryServer;

/** Makes the people of a directory those of a realm, until it is closed. */
final class LdapProvider implements AutoCloseable {

    private final AdminApi admin;
    private final String id;

    /** @param settings those that differ from {@link DirectoryServer#settings} */
    LdapProvider(AdminApi admin, DirectoryServer directory, Map<String, String> settings) {
        this.admin = admin;
        this.id = admin.create(
                "/components",
                Map.of(
                        "name",
                        "directory",
                        "providerId",
                        "ldap",
                        "providerType",
                        "org.keycloak.storage.UserStorageProvider",
                        "config",
                        directory.settings(settings)));
    }

    /** Gives all its people a role of the realm. */
    void giveRole(String role) {
        admin.create(
                "/components",
                Map.of(
                        "name",
                        role,
                        "providerId",
                        "hardcoded-ldap-role-mapper",
                        "providerType",
                        "org.keycloak.storage.ldap.mappers.LDAPStorageMapper",
                        "parentId",
                        id,
                        "config",
                        Map.of("role", List.of(role))));
    }

    void set(String setting, String value) {
        admin.update(
                "/components/" + id,
                component -> component.withObject("/config").putArray(setting).add(value));
    }

    @Override
    public void close() {
        admin.delete("/components/" + id);
    }
}
