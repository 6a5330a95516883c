package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The table of docs/what-acts-where.md has each provider that Keycloak finds in the JAR, and each JAX-RS provider. */
class WhatActsWhereTest {

    private static final Path SERVICES = Path.of("src/main/resources/META-INF/services");
    private static final Path CODE = Path.of("src/main/java");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    @Test
    void tableNamesAllThatKeycloakFinds() throws IOException {
        String page = Files.readString(Path.of("docs/what-acts-where.md"));
        Set<String> named = ROW.matcher(page)
                .results()
                .flatMap(row -> NAME.matcher(row.group(1)).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(found(), named);
    }

    private static Set<String> found() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> services = Files.list(SERVICES)) {
            for (Path service : services.toList()) {
                Files.readAllLines(service).forEach(name -> found.add(name.substring(name.lastIndexOf('.') + 1)));
            }
        }
        try (Stream<Path> files = Files.walk(CODE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file).contains("\n@Provider\n")) {
                    found.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }
        return found;
    }
}
