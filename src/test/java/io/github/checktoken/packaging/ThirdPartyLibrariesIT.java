package io.github.checktoken.packaging;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests that the shipped JAR, its notices and its bill of materials name the same libraries. */
class ThirdPartyLibrariesIT {

    private static final File JAR = new File(System.getProperty("checktoken.jar"));

    private static final String NOTICES = "META-INF/THIRD-PARTY.txt";

    /** Each library comes with this file, in which Maven wrote its name and version. */
    private static final Pattern PROPERTIES = Pattern.compile("META-INF/maven/[^/]+/[^/]+/pom\\.properties");

    /** A library has a folder below {@code shaded}: below that of this project, or of a library with libraries of its own. */
    private static final Pattern LIBRARY_FOLDER = Pattern.compile("/shaded/[^/]+/");

    @Test
    void noticesNameTheLibrariesOfTheJar() throws IOException {
        assertEquals(librariesOfTheJar(), inNotices("^(\\S+:\\S+:\\S+)"));
    }

    @Test
    void noticesNameThePackageOfEachLibrary() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            Set<String> packages = jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .flatMap(ThirdPartyLibrariesIT::libraryPackages)
                    .collect(Collectors.toSet());
            assertEquals(packages, inNotices("Package: +(\\S+)"));
        }
    }

    /** So far, all libraries have the licence of checktoken. Another licence needs its text in the JAR. */
    @Test
    void licenceOfEachLibraryIsInTheJar() throws IOException {
        long notices = text(NOTICES)
                .lines()
                .filter(line -> line.startsWith("  Licence: "))
                .count();
        assertEquals(librariesOfTheJar().size(), notices);
        assertEquals(Set.of("Apache-2.0"), inNotices("Licence: +(\\S+)"));
        assertTrue(text("META-INF/LICENSE").contains("Apache License"));
    }

    @Test
    void billOfMaterialsNamesTheLibrariesOfTheJar() throws IOException {
        File file = new File(JAR.getPath().replaceFirst("\\.jar$", "-cyclonedx.json"));
        assumeTrue(file.exists(), "only mvn -Prelease makes a bill of materials");
        JsonNode bill = new ObjectMapper().readTree(file);
        assertEquals(
                librariesOfTheJar(),
                bill.path("components")
                        .valueStream()
                        .map(component -> Stream.of("group", "name", "version")
                                .map(member -> component.path(member).asText())
                                .collect(Collectors.joining(":")))
                        .collect(Collectors.toSet()));
    }

    /** In the form of Maven, group:artifact:version. */
    private static Set<String> librariesOfTheJar() throws IOException {
        Set<String> libraries = new HashSet<>();
        try (JarFile jar = new JarFile(JAR)) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (PROPERTIES.matcher(entry.getName()).matches()) {
                    Properties library = new Properties();
                    library.load(jar.getInputStream(entry));
                    libraries.add(
                            library.get("groupId") + ":" + library.get("artifactId") + ":" + library.get("version"));
                }
            }
        }
        assertFalse(libraries.isEmpty());
        return libraries;
    }

    private static Stream<String> libraryPackages(String entry) {
        return LIBRARY_FOLDER
                .matcher(entry)
                .results()
                .map(folder -> entry.substring(0, folder.end() - 1).replace('/', '.'));
    }

    private static Set<String> inNotices(String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text(NOTICES))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static String text(String entry) throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            return new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
