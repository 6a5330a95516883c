package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests what is in the two JARs that administrators deploy. */
class JarContentsIT {

    /** The properties with the paths of the two JARs. */
    private static final String BOTH_HALVES = "checktoken.jar";

    private static final String INTROSPECTION = "introspection.jar";

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
}
