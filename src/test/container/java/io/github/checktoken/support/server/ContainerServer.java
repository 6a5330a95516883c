package io.github.checktoken.support.server;

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

/** Runs Keycloak's own image in a container, in development mode, with the JAR and the demo realms. */
final class ContainerServer implements KeycloakServer {

    private static final String HOME = "/opt/keycloak/";
    private static final String KEY_STORE = HOME + "conf/server.p12";
    private static final String TRUSTED = HOME + "conf/truststores/authority.pem";

    private final KeycloakContainer container;
    private final Path log = Path.of(System.getProperty("checktoken.jar")).resolveSibling("keycloak-container.log");

    ContainerServer(TestAuthority authority, TraceCollector traces) throws IOException {
        Files.deleteIfExists(log);
        container = new KeycloakContainer("quay.io/keycloak/keycloak:" + System.getProperty("keycloak.version"))
                .withAdminUsername(ADMIN)
                .withAdminPassword(ADMIN_PASSWORD)
                .withEnv("JAVA_OPTS_APPEND", System.getProperty("keycloak.java.options", ""))
                .withProviderLibsFrom(Stream.of("checktoken.jar", "conscrypt.jar")
                        .filter(jar -> jar.equals("checktoken.jar") || NativeCrypto.Condition.isEverywhere())
                        .map(jar -> new File(System.getProperty(jar)))
                        .toList())
                // The container can then reach ports of this machine that are opened while it runs.
                .withAccessToHost(true)
                .withCopyFileToContainer(readable(authority.serverKeyStore()), KEY_STORE)
                .withCopyFileToContainer(readable(authority.certificate()), TRUSTED)
                .withLogConsumer(this::append);
        KeycloakExtension.arguments(addressOfThisHost(traces.port()), KEY_STORE, TRUSTED)
                .forEach(container::withCustomCommand);
        // The ports are the same inside and outside the container, and 8080 is the port in the demo realms. So Keycloak
        // and the browsers use the same address.
        container.setPortBindings(List.of("8080:8080", "8443:8443"));
        importRealms(Path.of(System.getProperty("realm.export")));
        container.start();
    }

    @Override
    public URI baseUrl() {
        return URI.create(container.getAuthServerUrl());
    }

    @Override
    public URI secureUrl() {
        return URI.create("https://localhost:8443");
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
    public String install(Path file, String path) {
        container.copyFileToContainer(readable(file), HOME + path);
        return HOME + path;
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
                            readable(file), HOME + "data/import/" + file.getFileName()));
        }
    }

    private static MountableFile readable(Path file) {
        return MountableFile.forHostPath(file, 0644);
    }

    private void append(OutputFrame frame) {
        if (frame == OutputFrame.END) {
            return;
        }
        try {
            Files.write(log, frame.getBytes(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
