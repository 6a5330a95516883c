package io.github.checktoken.support;

import java.net.URI;
import java.nio.file.Path;

/** A running Keycloak with the shipped JAR and the demo realms. */
public interface KeycloakServer extends AutoCloseable {

    String ADMIN = "admin";
    String ADMIN_PASSWORD = "demo-admin-password";

    /** Without a trailing slash. */
    URI baseUrl();

    /** Under which name the server reaches a port of this machine. */
    String nameOfThisHost();

    /** What the server printed so far. */
    Path log();

    @Override
    void close();

    default URI realmUrl(String realm) {
        return URI.create(baseUrl() + "/realms/" + realm);
    }
}
