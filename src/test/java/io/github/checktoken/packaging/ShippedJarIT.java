package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.objectweb.asm.ClassReader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the JAR that administrators deploy. */
@ExtendWith(KeycloakExtension.class)
class ShippedJarIT {

    private static final Path JAR = Path.of(System.getProperty("checktoken.jar"));

    /** Keycloak's notice to everyone who implements an internal SPI. */
    private static final String INTERNAL_SPI = "KC-SERVICES0047";

    /** Keycloak also prints this warning without any provider. */
    private static final String DEPRECATED_FEATURES = "[org.keycloak.common.Profile]";

    private final KeycloakServer server;

    ShippedJarIT(KeycloakServer server) {
        this.server = server;
    }

    @Test
    void isSmallerThanOneAndAHalfMegabytes() throws IOException {
        assertTrue(Files.size(JAR) < 1_500_000, "bytes: " + Files.size(JAR));
    }

    @Test
    void holdsNoClassOutsideTheProject() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> foreign = jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("io/github/checktoken/"))
                    .toList();
            assertEquals(List.of(), foreign);
        }
    }

    /** It would handle the failures of all requests to the server, and compete with that of another extension. */
    @Test
    void holdsNoExceptionMapper() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> mappers = new ArrayList<>();
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")
                        && List.of(new ClassReader(jar.getInputStream(entry).readAllBytes()).getInterfaces())
                                .contains("jakarta/ws/rs/ext/ExceptionMapper")) {
                    mappers.add(entry.getName());
                }
            }
            assertEquals(List.of(), mappers);
        }
    }

    @Test
    void holdsNoDemoAndNoTest() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertEquals(
                    0,
                    jar.stream()
                            .filter(entry -> entry.getName().matches(".*(demo|Test|IT\\.class|support/).*"))
                            .count());
        }
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
