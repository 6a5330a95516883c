package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Describes what was measured, for the head of the report. */
public final class SetUp {

    private SetUp() {}

    public static Map<String, String> of(BenchSettings settings) throws IOException {
        Map<String, String> description = new LinkedHashMap<>();
        description.put("Keycloak", System.getProperty("keycloak.version") + ", kc.sh start --optimized, PostgreSQL");
        description.put("JDK", java(settings));
        description.put(
                "Further options of the JVM", settings.javaOptions().isBlank() ? "none" : settings.javaOptions());
        description.put(
                "Processors",
                "%s; server on %s, load and database on %s"
                        .formatted(processor(), settings.serverCpus(), settings.loadCpus()));
        return description;
    }

    /** The file {@code release} of a JDK has lines like {@code JAVA_VERSION="17.0.15"}. */
    private static String java(BenchSettings settings) throws IOException {
        Properties release = new Properties();
        try (var file = Files.newBufferedReader(Path.of(settings.javaHome(), "release"))) {
            release.load(file);
        }
        String text = release.getProperty("IMPLEMENTOR", "") + " " + release.getProperty("JAVA_RUNTIME_VERSION", "")
                + " " + release.getProperty("JAVA_VERSION", "");
        return text.replace("\"", "").trim();
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown");
    }
}
