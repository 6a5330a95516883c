package io.github.checktoken.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.server.JarComparison;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The modules of the OpenID Foundation's conformance suite for OpenID providers, as this project understands them, in a
 * realm that uses nothing of it. What a specification only recommends is reported.
 */
@Tag("conformance")
class ConformanceIT {

    /** Most modules wait for the server, and some wait for time to pass. */
    private static final int AT_ONCE = 6;

    private static final Path REPORT = Path.of("target", "conformance", "report.md");

    @Test
    void everyModulePassesWithTheSameAnswersAsWithoutTheJar() throws IOException, InterruptedException {
        JarComparison comparison = JarComparison.of("conformance", (server, database) -> results(server));
        Files.createDirectories(REPORT.getParent());
        Files.writeString(REPORT, report(comparison));
        System.out.println("The report on conformance: " + REPORT.toAbsolutePath());
        assertEquals(List.of(), comparison.differences());
        assertEquals(List.of(), failed(comparison.with()));
    }

    private static List<String> failed(Map<String, String> results) {
        return results.entrySet().stream()
                .filter(result -> result.getValue().startsWith(TestResult.FAILED))
                .map(result -> result.getKey() + ": " + result.getValue())
                .toList();
    }

    private static Map<String, String> results(KeycloakServer server) throws IOException {
        ConformanceRealm realm = ConformanceRealm.create(server, "conformance");
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Map<String, CompletableFuture<String>> running = new LinkedHashMap<>();
            for (TestModule module : TestModule.all()) {
                for (TestPlan plan : module.plans()) {
                    running.put(
                            module.name() + " | " + plan.name().toLowerCase(),
                            CompletableFuture.supplyAsync(() -> result(module, realm, plan), pool));
                }
            }
            Map<String, String> results = new LinkedHashMap<>();
            running.forEach((name, result) -> results.put(name, result.join()));
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    private static String result(TestModule module, ConformanceRealm realm, TestPlan plan) {
        return TestResult.of(result -> {
            try (JwksServer host = new JwksServer(realm.server(), RegisteredClient.KEY)) {
                new Steps(TestInstance.of(realm, plan, module, result, host)).run();
            }
        });
    }

    private static String report(JarComparison comparison) {
        StringBuilder report = new StringBuilder("""
                # Conformance of Keycloak %s

                | Module | Plan | Verdict, and the rule that was broken | The same with the JAR |
                |---|---|---|---|
                """.formatted(System.getProperty("keycloak.version")));
        comparison.without().forEach((module, result) -> {
            String verdict = result.lines().findFirst().orElseThrow();
            boolean same = result.equals(comparison.with().get(module));
            report.append("| %s | %s | %s |%n".formatted(module, verdict, same ? "yes" : "**no**"));
        });
        return report.toString();
    }
}
