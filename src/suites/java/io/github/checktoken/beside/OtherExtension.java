package io.github.checktoken.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.server.Executable;

/** An extension of somebody else, which stands in {@code providers/} beside ours. */
enum OtherExtension {
    MAGIC_LINK("io.phasetwo.keycloak:keycloak-magic-link:0.73"),
    HOME_IDP_DISCOVERY("de.sventorben.keycloak:keycloak-home-idp-discovery:26.2.2"),
    RESTRICT_CLIENT_AUTH("de.sventorben.keycloak:keycloak-restrict-client-auth:26.1.1"),
    EMAIL_AUTHENTICATOR("com.mesutpiskin.keycloak:keycloak-2fa-email-authenticator:26.2.0"),
    METRICS("org.jboss.aerogear:keycloak-metrics-spi:7.0.0");

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy";
    private static final Path RESOLVED = Path.of("target/beside").toAbsolutePath();

    private final String coordinates;
    private final String fileName;

    OtherExtension(String coordinates) {
        this.coordinates = coordinates;
        this.fileName = coordinates.substring(coordinates.indexOf(':') + 1).replace(':', '-') + ".jar";
    }

    /** @return its JAR from the folder {@code beside.jars}, otherwise from Maven; empty if Maven does not find it */
    Optional<Path> jar() {
        return Optional.ofNullable(System.getProperty("beside.jars"))
                .map(folder -> Path.of(folder, fileName))
                .filter(Files::exists)
                .or(this::resolved);
    }

    private Optional<Path> resolved() {
        Path file = RESOLVED.resolve(fileName);
        if (!Files.exists(file)) {
            try {
                Files.createDirectories(RESOLVED);
                Process maven = new ProcessBuilder(List.of(
                                Executable.find("mvn").orElseThrow().toString(),
                                "-B",
                                "-q",
                                PLUGIN,
                                "-Dartifact=" + coordinates,
                                "-DoutputDirectory=" + RESOLVED))
                        .redirectErrorStream(true)
                        .redirectOutput(RESOLVED.resolve(fileName + ".log").toFile())
                        .start();
                maven.waitFor(5, TimeUnit.MINUTES);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return Optional.of(file).filter(Files::exists);
    }

    @Override
    public String toString() {
        return fileName;
    }
}
