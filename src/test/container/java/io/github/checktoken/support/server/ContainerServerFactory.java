package io.github.checktoken.support.server;

import java.io.IOException;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;

/** Makes the profile {@code container} run its tests on Keycloak's image. */
final class ContainerServerFactory implements KeycloakServer.Factory {

    @Override
    public KeycloakServer start() throws IOException {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("The profile container needs Docker, and no Docker engine answers here."
                    + " The same tests run without Docker on Keycloak's distribution: mvn verify");
        }
        try {
            return new ContainerServer(KeycloakExtension.AUTHORITY, KeycloakExtension.TRACES);
        } catch (ContainerLaunchException e) {
            throw new IllegalStateException("Keycloak's container did not start; are the ports 8080 and 8443 free?", e);
        }
    }
}
