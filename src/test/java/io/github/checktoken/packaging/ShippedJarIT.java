package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests the JAR with both halves in Keycloak, as administrators deploy it. */
@ExtendWith(KeycloakExtension.class)
class ShippedJarIT {

    /** Keycloak's notice to everyone who implements an internal SPI. */
    private static final String INTERNAL_SPI = "KC-SERVICES0047";

    /** Keycloak also prints this warning without any provider. */
    private static final String DEPRECATED_FEATURES = "[org.keycloak.common.Profile]";

    private final KeycloakServer server;

    ShippedJarIT(KeycloakServer server) {
        this.server = server;
    }

    @Test
    void isBuiltIntoKeycloakWithItsProviders() throws IOException {
        assertEquals(
                21,
                Files.readAllLines(server.log()).stream()
                        .filter(line -> line.contains(INTERNAL_SPI) && line.contains("(io.github.checktoken."))
                        .filter(line -> !line.contains("(io.github.checktoken.support."))
                        .count());
    }

    @Test
    void causesNoWarningAtBuildAndStartButTheNoticeOnInternalSpis() throws IOException {
        List<String> warnings = Files.readAllLines(server.log()).stream()
                .takeWhile(line -> !line.contains("Listening on:"))
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .filter(line -> !(line.contains(INTERNAL_SPI) && line.contains("(io.github.checktoken.")))
                .filter(line -> !line.contains(DEPRECATED_FEATURES))
                .toList();
        assertEquals(List.of(), warnings);
    }
}
