package io.github.checktoken.support.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A running Keycloak with the shipped JAR and the demo realms. */
public interface KeycloakServer extends AutoCloseable {

    String ADMIN = "admin";
    String ADMIN_PASSWORD = "demo-admin-password";

    /** Everything that this project can log, for the tests that search the log. */
    String LOG_LEVEL = "INFO,io.github.checktoken:TRACE";

    /** Without it, Keycloak's build waits ten seconds for a system bus, if the machine has none. */
    Map<String, String> NO_SYSTEM_BUS = Map.of("DBUS_SYSTEM_BUS_ADDRESS", "none:");

    /** The environment variable from which the demo realms take the server's address when they are imported. */
    String BASE_URL_VARIABLE = "CHECKTOKEN_BASE_URL";

    /** @return the server's address without a trailing slash */
    URI baseUrl();

    /** @return the address with TLS, if the server has a certificate; without a trailing slash */
    URI secureUrl();

    /** @return the address of the management interface, which has the metrics; without a trailing slash */
    URI managementUrl();

    /** @return host and port with which the server can reach a port of this machine, from this call on */
    String addressOfThisHost(int port);

    /**
     * Puts a file into the server's installation.
     *
     * @param path below the installation folder
     * @return the absolute path of the file for the server
     */
    String install(Path file, String path) throws IOException;

    /** @return the file with everything that the server has printed so far */
    Path log();

    @Override
    void close();

    /**
     * Starts a server. The system property {@code keycloak.server.factory} names another one than the distribution's.
     */
    interface Factory {
        KeycloakServer start() throws IOException;
    }

    default URI realmUrl(String realm) {
        return URI.create(baseUrl() + "/realms/" + realm);
    }
}
