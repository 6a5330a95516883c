package io.github.checktoken.login.gate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** The bytecode of all JARs of Keycloak that the tested version brings. Other libraries are left out. */
final class KeycloakJars {

    private static final Path LIBRARIES = Path.of(System.getProperty("keycloak.home"), "lib/lib/main");
    private static final String SERVICES = "META-INF/services/";

    private final SortedMap<String, ClassNode> classes = new TreeMap<>();
    private final Map<String, List<String>> services = new HashMap<>();

    /** @param contains what the file of a class must contain, so that not all are read */
    KeycloakJars(Predicate<String> contains) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(LIBRARIES, "org.keycloak.*.jar")) {
            for (Path path : jars) {
                try (JarFile jar = new JarFile(path.toFile())) {
                    read(jar, contains);
                }
            }
        }
    }

    /** By name, with slashes. */
    SortedMap<String, ClassNode> classes() {
        return classes;
    }

    /** @return the names with slashes */
    List<String> factoriesOf(Class<?> spi) {
        return services.get(SERVICES + spi.getName());
    }

    private void read(JarFile jar, Predicate<String> contains) throws IOException {
        for (JarEntry entry : jar.stream().toList()) {
            if (entry.getName().startsWith(SERVICES)) {
                services.computeIfAbsent(entry.getName(), name -> new ArrayList<>())
                        .addAll(lines(bytes(jar, entry)));
            } else if (entry.getName().endsWith(".class")) {
                byte[] bytes = bytes(jar, entry);
                if (contains.test(new String(bytes, StandardCharsets.ISO_8859_1))) {
                    ClassNode type = new ClassNode();
                    new ClassReader(bytes).accept(type, ClassReader.SKIP_DEBUG);
                    classes.put(type.name, type);
                }
            }
        }
    }

    private static List<String> lines(byte[] service) {
        return new String(service, StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip().replace('.', '/'))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
        return jar.getInputStream(entry).readAllBytes();
    }
}
