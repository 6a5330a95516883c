package io.github.checktoken.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.keycloak.OAuthErrorException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.checktoken.introspection.outage.DatabaseOutage;
import io.github.checktoken.support.server.Executable;
import io.github.checktoken.telemetry.CheckTokenCounter;
import io.github.checktoken.telemetry.CheckTokenTimer;
import io.github.checktoken.telemetry.NoticeGauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An alert for a meter or a log line that no longer exists never fires, and nobody notices. */
class MonitoringTest {

    private static final Path FOLDER = Path.of("docs/monitoring");
    private static final Path GUIDE = Path.of("docs/operations.md");

    /** Meters of Keycloak 26.7 and of Prometheus itself that the rules and the dashboard use. */
    private static final Set<String> OTHER_METERS = Set.of(
            "up",
            "agroal_active_count",
            "agroal_available_count",
            "agroal_awaiting_count",
            "http_server_active_requests",
            "http_server_requests_seconds_bucket",
            "http_server_requests_seconds_count",
            "jvm_gc_pause_seconds_sum",
            "jvm_memory_used_bytes",
            "process_cpu_time_ns_total",
            "process_cpu_usage",
            "vendor_cluster_size",
            "vendor_statistics_approximate_entries",
            "vendor_statistics_evictions",
            "vendor_statistics_hit_times_seconds_count",
            "vendor_statistics_miss_times_seconds_count");

    private static final Set<String> PROMQL = Set.of(
            "and",
            "count",
            "histogram_quantile",
            "increase",
            "label_values",
            "last_over_time",
            "max",
            "min",
            "offset",
            "on",
            "or",
            "rate",
            "sum",
            "unless");

    private static final Set<String> OUTCOMES = Set.of(
            "active",
            "inactive",
            "success",
            "failure",
            OAuthErrorException.INVALID_CLIENT,
            OAuthErrorException.SERVER_ERROR,
            DatabaseOutage.ERROR);

    @Test
    void rulesAndDashboardUseOnlyMetersThatExist() throws IOException {
        Set<String> known = new TreeSet<>(OTHER_METERS);
        known.addAll(ourMeters());
        assertEquals(alerts().size(), queriesOfAlerts().size());
        assertAll(queries().map(query -> () -> {
            Set<String> unknown = meters(query);
            assertFalse(unknown.isEmpty(), query);
            unknown.removeAll(known);
            assertEquals(Set.of(), unknown, query);
        }));
    }

    @Test
    void rulesAndDashboardUseOnlyOutcomesThatExist() throws IOException {
        Set<String> used = queries()
                .flatMap(query -> find("outcome[=!]~?\"([^\"]+)\"", query))
                .flatMap(outcomes -> Stream.of(outcomes.split("\\|")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertFalse(used.isEmpty());
        used.removeAll(OUTCOMES);
        assertEquals(Set.of(), used);
    }

    @Test
    void everyPanelUsesTheChosenDataSource() throws IOException {
        List<JsonNode> sources = dashboard().findValues("datasource");
        assertFalse(sources.isEmpty());
        sources.forEach(
                source -> assertEquals("${datasource}", source.get("uid").textValue(), source.toString()));
    }

    @Test
    void guideExplainsEveryAlert() throws IOException {
        String guide = Files.readString(GUIDE);
        assertFalse(alerts().isEmpty());
        assertAll(alerts().stream().map(alert -> () -> assertTrue(guide.contains("`" + alert + "`"), alert)));
    }

    @Test
    void guideQuotesLogLinesThatExist() throws IOException {
        String code;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            code = files.filter(Files::isRegularFile).map(MonitoringTest::read).collect(Collectors.joining());
        }
        List<String> quoted = find(
                        "(?m)^\\| `io\\.github\\.checktoken\\.[a-z.]+` \\| `([^`]+)` \\|", Files.readString(GUIDE))
                .toList();
        assertEquals(6, quoted.size());
        assertAll(quoted.stream().map(line -> () -> assertTrue(code.contains(line), line)));
    }

    @Test
    void alertsFireWhenTheyShould() throws IOException, InterruptedException {
        promtool("check", "rules", FOLDER.resolve("checktoken-rules.yml").toString());
        promtool("test", "rules", FOLDER.resolve("checktoken-rules-test.yml").toString());
    }

    @Test
    void queriesOfTheDashboardAreValid(@TempDir Path folder) throws IOException, InterruptedException {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        List<JsonNode> queries = dashboard().findValues("expr");
        assertFalse(queries.isEmpty());
        for (JsonNode query : queries) {
            // Grafana replaces these before it asks Prometheus.
            String expression =
                    query.textValue().replace("$__rate_interval", "5m").replace("$realm", "any");
            rules.append("      - record: query\n        expr: >-\n          ")
                    .append(expression)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("dashboard.yml"), rules);
        promtool("check", "rules", file.toString());
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        Path promtool = Executable.find("promtool")
                .orElseGet(() -> Executable.isMissing("needs promtool, for example of Debian's package prometheus"));
        List<String> command = new ArrayList<>(List.of(promtool.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "promtool does not end");
        assertEquals(0, process.exitValue(), output);
    }

    /** @return the names under which Prometheus knows the meters that the code records */
    private static Set<String> ourMeters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try {
            Stream.of(CheckTokenTimer.values()).forEach(timer -> timer.record("realm", true, Duration.ZERO));
            Stream.of(CheckTokenCounter.values()).forEach(counter -> counter.increment("realm"));
            NoticeGauge.set(Map.of(new NoticeGauge.Group("realm", "secret_expires"), 1));
            return registry.getMeters().stream()
                    .flatMap(meter -> {
                        String name = meter.getId().getName().replace('.', '_');
                        return endings(meter).map(name::concat);
                    })
                    .collect(Collectors.toSet());
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    private static Stream<String> endings(Meter meter) {
        return switch (meter.getId().getType()) {
            case TIMER -> Stream.of("_seconds_count", "_seconds_sum", "_seconds_max");
            case COUNTER -> Stream.of("_total");
            default -> Stream.of("");
        };
    }

    /** @return the names in the query that are neither label, text, number, function nor duration */
    private static Set<String> meters(String query) {
        String names = query.replaceAll("\"[^\"]*\"", "")
                .replaceAll("\\{[^}]*}", "")
                .replaceAll("\\[[^]]*]", "")
                .replaceAll("\\b(by|on) \\([^)]*\\)", "")
                .replaceAll("(?<=label_values\\()(\\w+), \\w+", "$1");
        Set<String> meters = find("\\b([a-zA-Z_]\\w*)\\b", names).collect(Collectors.toCollection(TreeSet::new));
        meters.removeAll(PROMQL);
        return meters;
    }

    private static Stream<String> queries() throws IOException {
        JsonNode dashboard = dashboard();
        Stream<String> panels = Stream.of("expr", "definition")
                .flatMap(member -> dashboard.findValues(member).stream())
                .map(JsonNode::textValue);
        return Stream.concat(queriesOfAlerts().stream(), panels);
    }

    private static List<String> alerts() {
        return find("- alert: (\\w+)", rules()).toList();
    }

    private static List<String> queriesOfAlerts() {
        return find("(?s)expr: (.*?)\\n +(?:for|labels):", rules())
                .map(query -> query.replace(">-", ""))
                .toList();
    }

    private static String rules() {
        return read(FOLDER.resolve("checktoken-rules.yml"));
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(read(FOLDER.resolve("checktoken-dashboard.json")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the first group of every match */
    private static Stream<String> find(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1));
    }
}
