package io.github.checktoken.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The rules of docs/architecture.md about which folder may use which. */
class LayoutTest {

    private static final Path CODE = Path.of("src/main/java/io/github/checktoken");
    private static final Pattern USE = Pattern.compile("\\bio\\.github\\.checktoken\\.([a-z]+)\\.");

    /** What tells the versions of Keycloak apart: reflection, and Keycloak's version. */
    private static final Pattern VERSION_DEPENDENT =
            Pattern.compile("java\\.lang\\.reflect|\\bVersion\\.VERSION|\\.getDeclared|\\.class\\.getMethods");

    private static final Set<String> HALVES = Set.of("introspection", "login");
    private static final Set<String> SHARED = Set.of("keycloak", "limit", "settings", "telemetry", "text");

    @Test
    void halvesDoNotUseEachOtherAndSharedFoldersUseNoHalf() throws IOException {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (Path file : files()) {
            String folder = folder(file);
            Set<String> used = uses.computeIfAbsent(folder, key -> new TreeSet<>());
            USE.matcher(Files.readString(file))
                    .results()
                    .map(match -> match.group(1))
                    .filter(other -> !other.equals(folder))
                    .forEach(used::add);
        }
        Set<String> folders = new TreeSet<>(HALVES);
        folders.addAll(SHARED);
        assertEquals(folders, uses.keySet());
        Set<String> halvesUsed = new TreeSet<>();
        uses.forEach((folder, used) ->
                used.stream().filter(HALVES::contains).forEach(half -> halvesUsed.add(folder + " -> " + half)));
        assertEquals(Set.of(), halvesUsed);
    }

    @Test
    void whatDependsOnKeycloaksVersionIsInOneFolder() throws IOException {
        Set<String> elsewhere = new TreeSet<>();
        for (Path file : files()) {
            if (!folder(file).equals("keycloak")
                    && VERSION_DEPENDENT.matcher(Files.readString(file)).find()) {
                elsewhere.add("" + file);
            }
        }
        assertEquals(Set.of(), elsewhere);
    }

    /** Of several mappers for one exception, JAX-RS chooses any, and ours would serve the whole server. */
    @Test
    void noClassMapsExceptionsOfTheWholeServer() throws IOException {
        Set<String> mappers = new TreeSet<>();
        for (Path file : files()) {
            if (Files.readString(file).contains("ExceptionMapper")) {
                mappers.add("" + file);
            }
        }
        assertEquals(Set.of(), mappers);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(CODE)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String folder(Path file) {
        return "" + CODE.relativize(file).getName(0);
    }
}
