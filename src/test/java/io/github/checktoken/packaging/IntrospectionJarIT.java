package io.github.checktoken.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the JAR without the login half, file by file, with the JAR of which it is made. */
class IntrospectionJarIT {

    private static final String LOGIN = "io/github/checktoken/login/";
    private static final String SERVICES = "META-INF/services/";
    private static final String MEMBERS = "io/github/checktoken/keycloak/keycloak-members.txt";
    private static final String TEXTS = "theme-resources/messages/";
    private static final String TEMPLATES = "theme-resources/templates/";
    private static final Pattern OWN_CLASS = Pattern.compile("io/github/checktoken/[A-Za-z0-9_/$]+");

    /** Of a text in a bundle; a text with the ending helps with the other. */
    private static final Pattern KEY = Pattern.compile("(?m)^([\\w.]+?)(\\.help)?=");

    private final Map<String, String> both = entries("checktoken.jar");
    private final Map<String, String> alone = entries("introspection.jar");

    @Test
    void holdsTheFilesOfTheOtherJarButThoseOfTheLoginHalf() {
        Predicate<String> isMade = name -> name.startsWith(SERVICES) || name.startsWith(TEXTS) || name.equals(MEMBERS);
        Map<String, String> expected = new TreeMap<>(both);
        expected.keySet().removeIf(isMade.or(name -> name.startsWith(LOGIN)));
        expected.keySet().removeIf(name -> name.startsWith(TEMPLATES) && !isUsed(alone, templateName(name)));
        Map<String, String> rest = new TreeMap<>(alone);
        rest.keySet().removeIf(isMade);
        assertEquals(expected.keySet(), rest.keySet());
        assertEquals(Set.of(), filter(rest.keySet(), name -> !rest.get(name).equals(expected.get(name))));
        assertTrue(rest.keySet().stream().anyMatch(name -> name.startsWith(TEMPLATES)));
    }

    @Test
    void providesWhatTheOtherJarProvidesButTheLoginHalf() {
        Map<String, List<String>> expected = lines(both, SERVICES);
        expected.replaceAll((file, names) -> names.stream()
                .filter(name -> !name.replace('.', '/').startsWith(LOGIN))
                .toList());
        expected.values().removeIf(List::isEmpty);
        assertEquals(expected, lines(alone, SERVICES));
    }

    @Test
    void checksTheInternalsThatItContains() {
        List<String> expected = both.get(MEMBERS)
                .lines()
                .map(line -> line.replaceFirst("^login[, ]", ""))
                .filter(line -> line.matches("[a-z,]+ [^ ]+ [^ ]+ [^ ]+"))
                .toList();
        assertEquals(expected, alone.get(MEMBERS).lines().toList());
    }

    @Test
    void needsNoClassThatItDoesNotHave() {
        Set<String> missing = new TreeSet<>();
        alone.forEach((name, content) -> {
            if (name.endsWith(".class") && !name.contains("/shaded/")) {
                OWN_CLASS
                        .matcher(content)
                        .results()
                        .map(found -> found.group() + ".class")
                        .filter(type -> both.containsKey(type) && !alone.containsKey(type))
                        .forEach(type -> missing.add(name + " -> " + type));
            }
        });
        assertEquals(Set.of(), missing);
    }

    @ParameterizedTest
    @CsvSource({"checktoken_en", "checktoken_fr", "checktoken-admin_en", "checktoken-admin_fr"})
    void hasTheTextsThatItsClassesUse(String bundle) {
        Set<String> all = keys(both, bundle);
        Set<String> kept = keys(alone, bundle);
        Map<String, String> login = new TreeMap<>(both);
        login.keySet().removeAll(alone.keySet());
        assertEquals(Set.of(), filter(all, key -> !kept.contains(key) && isUsed(alone, key)), "too few");
        assertEquals(
                Set.of(),
                filter(kept, key -> isUsed(login, key) && !isUsed(alone, key)),
                "needed by the other JAR only");
        assertTrue(all.containsAll(kept) && !kept.isEmpty());
    }

    /** In its classes and templates. The theme is in both, and does without a text that is not there. */
    private static boolean isUsed(Map<String, String> entries, String word) {
        Pattern wordAlone = Pattern.compile("(?<![\\w.])" + Pattern.quote(word) + "(?![\\w.])");
        return entries.entrySet().stream()
                .filter(entry ->
                        entry.getKey().startsWith(TEMPLATES) || entry.getKey().endsWith(".class"))
                .map(Map.Entry::getValue)
                .anyMatch(content ->
                        content.contains(word) && wordAlone.matcher(content).find());
    }

    private static String templateName(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    private static Set<String> keys(Map<String, String> entries, String bundle) {
        return KEY.matcher(entries.get(TEXTS + bundle + ".properties"))
                .results()
                .map(key -> key.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> filter(Set<String> keys, Predicate<String> condition) {
        return keys.stream().filter(condition).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, List<String>> lines(Map<String, String> entries, String folder) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(folder))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().lines().toList()));
    }

    /** The files by name, byte by byte as Latin-1. */
    private static Map<String, String> entries(String property) {
        Map<String, String> entries = new TreeMap<>();
        try (JarFile jar = new JarFile(System.getProperty(property))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.isDirectory()) {
                    byte[] content = jar.getInputStream(entry).readAllBytes();
                    entries.put(entry.getName(), new String(content, StandardCharsets.ISO_8859_1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }
}
