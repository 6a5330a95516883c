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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the JARs that administrators deploy. The server has the one with both halves. */
@ExtendWith(KeycloakExtension.class)
class ShippedJarIT {

    /** The properties with the paths of the two JARs. */
    private static final String BOTH_HALVES = "checktoken.jar";

    private static final String INTROSPECTION = "introspection.jar";

    /** Keycloak's notice to everyone who implements an internal SPI. */
    private static final String INTERNAL_SPI = "KC-SERVICES0047";

    /** Keycloak also prints this warning without any provider. */
    private static final String DEPRECATED_FEATURES = "[org.keycloak.common.Profile]";

    private final KeycloakServer server;

    ShippedJarIT(KeycloakServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(strings = {BOTH_HALVES, INTROSPECTION})
    void isSmallerThanOneAndAHalfMegabytes(String property) throws IOException {
        long size = Files.size(Path.of(System.getProperty(property)));
        assertTrue(size < (property.equals(BOTH_HALVES) ? 1_500_000 : 1_250_000), "bytes: " + size);
    }

    @ParameterizedTest
    @ValueSource(strings = {BOTH_HALVES, INTROSPECTION})
    void holdsNoClassOutsideTheProject(String property) throws IOException {
        try (JarFile jar = new JarFile(System.getProperty(property))) {
            List<String> foreign = jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("io/github/checktoken/"))
                    .toList();
            assertEquals(List.of(), foreign);
        }
    }

    /** It would handle the failures of all requests to the server, and compete with that of another extension. */
    @ParameterizedTest
    @ValueSource(strings = {BOTH_HALVES, INTROSPECTION})
    void holdsNoExceptionMapper(String property) throws IOException {
        try (JarFile jar = new JarFile(System.getProperty(property))) {
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

    @ParameterizedTest
    @ValueSource(strings = {BOTH_HALVES, INTROSPECTION})
    void holdsNoDemoAndNoTest(String property) throws IOException {
        try (JarFile jar = new JarFile(System.getProperty(property))) {
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
