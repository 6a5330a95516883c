package io.github.checktoken.support.server;

import java.io.IOException;

import org.testcontainers.DockerClientFactory;

/** Makes the profile {@code container} run its tests on Keycloak's image. */
final class ContainerServerFactory implements KeycloakServer.Factory {

    @Override
    public KeycloakServer start() throws IOException {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("The profile container needs Docker, and no Docker engine answers here."
                    + " The same tests run without Docker on Keycloak's distribution: mvn verify");
        }
        return new ContainerServer(KeycloakExtension.AUTHORITY, KeycloakExtension.TRACES);
    }
}
