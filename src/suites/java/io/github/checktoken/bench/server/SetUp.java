package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes what was measured, for the head of the report. */
public final class SetUp {

    private SetUp() {}

    public static Map<String, String> of(BenchSettings settings) throws IOException {
        Map<String, String> description = new LinkedHashMap<>();
        description.put("Date", LocalDate.now().toString());
        description.put("Keycloak", System.getProperty("keycloak.version") + ", kc.sh start --optimized, PostgreSQL");
        description.put("JDK", (settings.release("IMPLEMENTOR") + " JDK " + settings.release("JAVA_VERSION")).strip());
        description.put(
                "Machine",
                "%s; servers on processor %s, load and database on %s"
                        .formatted(processor(), settings.serverCpus(), settings.loadCpus()));
        return description;
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown");
    }
}
