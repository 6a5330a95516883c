package io.github.checktoken.support.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What was seen on a server without the JAR, and then on one with it.
 *
 * @param without what was seen, by what it is
 */
public record JarComparison(Map<String, String> without, Map<String, String> with) {

    /** For servers that run only for minutes. */
    private static final String QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC";

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));

    /** Looks at a server. */
    public interface Observation {
        /** @return what is seen, by what it is; without what differs on two equal servers */
        Map<String, String> on(KeycloakServer server, Database database) throws IOException, InterruptedException;
    }

    /** @param name the beginning of the names of the two servers' folders and logs */
    public static JarComparison of(String name, Observation observation) throws IOException, InterruptedException {
        return new JarComparison(
                observe(name + "-without", List.of(), observation),
                observe(name + "-with", List.of(Path.of(System.getProperty("checktoken.jar"))), observation));
    }

    private static Map<String, String> observe(String name, List<Path> jars, Observation observation)
            throws IOException, InterruptedException {
        Database database = new Database(HOME);
        Map<String, String> environment =
                Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_APPEND", QUICK_JAVA);
        try (ProductionServer server =
                new ProductionServer(HOME.getParent(), name, jars, database.arguments(), List.of(), environment)) {
            return observation.on(server, database);
        }
    }

    /** @return both, for each thing that was not the same */
    public List<String> differences() {
        Set<String> all = new TreeSet<>(without.keySet());
        all.addAll(with.keySet());
        return all.stream()
                .filter(what -> !Objects.equals(without.get(what), with.get(what)))
                .map(what -> what + "\n  without: " + without.get(what) + "\n  with:    " + with.get(what) + "\n")
                .toList();
    }
}
