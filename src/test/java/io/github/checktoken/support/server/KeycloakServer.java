package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A running Keycloak with the shipped JAR and the demo realms. */
public interface KeycloakServer extends AutoCloseable {

    String ADMIN = "admin";
    String ADMIN_PASSWORD = "demo-admin-password";

    /** For the tests that search the log: everything that this project ever writes. */
    String LOG_LEVEL = "INFO,io.github.checktoken:TRACE";

    /** The environment variable from which the demo realms take the server's address when they are imported. */
    String BASE_URL_VARIABLE = "CHECKTOKEN_BASE_URL";

    /** Without a trailing slash. */
    URI baseUrl();

    /** The same with TLS, where the server has a certificate; without a trailing slash. */
    URI secureUrl();

    /** Of the management interface, which has the metrics; without a trailing slash. */
    URI managementUrl();

    /** Host and port under which the server reaches a port of this machine, from this call on. */
    String addressOfThisHost(int port);

    /**
     * Puts a file into the server's installation.
     *
     * @param path below the installation folder
     * @return where the server finds it, absolute
     */
    String install(Path file, String path) throws IOException;

    /** What the server printed so far. */
    Path log();

    @Override
    void close();

    /** Starts a kind of server; the system property {@code keycloak.server.factory} names another than the distribution. */
    interface Factory {
        KeycloakServer start() throws IOException;
    }

    default URI realmUrl(String realm) {
        return URI.create(baseUrl() + "/realms/" + realm);
    }
}
