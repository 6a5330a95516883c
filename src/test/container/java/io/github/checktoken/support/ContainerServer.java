package io.github.checktoken.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

import dasniko.testcontainers.keycloak.KeycloakContainer;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.utility.MountableFile;

/** Keycloak's own image in a container, in development mode, with the JAR and the demo realms. */
final class ContainerServer implements KeycloakServer {

    private static final String IMPORT_FOLDER = "/opt/keycloak/data/import/";

    private final KeycloakContainer container;
    private final Path log = Files.createTempFile("keycloak-container-", ".log");

    ContainerServer() throws IOException {
        container = new KeycloakContainer("quay.io/keycloak/keycloak:" + System.getProperty("keycloak.version"))
                .withAdminUsername(ADMIN)
                .withAdminPassword(ADMIN_PASSWORD)
                .withProviderLibsFrom(List.of(new File(System.getProperty("checktoken.jar"))))
                // Ports of this machine can then be opened while the container runs.
                .withAccessToHost(true)
                .withEnv("KC_LOG_LEVEL", LOG_LEVEL)
                .withLogConsumer(this::append);
        // The same port outside as inside, the one of the demo realms: Keycloak and browsers then call it by one
        // address.
        container.setPortBindings(List.of("8080:8080"));
        importRealms(Path.of(System.getProperty("realm.export")));
        container.start();
    }

    @Override
    public URI baseUrl() {
        return URI.create(container.getAuthServerUrl());
    }

    @Override
    public URI managementUrl() {
        return URI.create(container.getMgmtServerUrl());
    }

    @Override
    public String addressOfThisHost(int port) {
        Testcontainers.exposeHostPorts(port);
        return GenericContainer.INTERNAL_HOST_HOSTNAME + ":" + port;
    }

    @Override
    public Path log() {
        return log;
    }

    @Override
    public void close() {
        container.stop();
    }

    private void importRealms(Path folder) throws IOException {
        try (Stream<Path> realms = Files.list(folder)) {
            realms.filter(file -> file.toString().endsWith(".json"))
                    .forEach(file -> container.withCopyFileToContainer(
                            MountableFile.forHostPath(file, 0644), IMPORT_FOLDER + file.getFileName()));
        }
    }

    private void append(OutputFrame frame) {
        try {
            Files.write(log, frame.getBytes(), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
