package io.github.checktoken.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.PostgresServer;
import io.github.checktoken.support.server.TestAuthority;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Installs a server with TLS and PostgreSQL as {@code docs/production.md} says, asks it at its start what a load balancer
 * asks, and lets Prometheus read it as {@code docs/operations.md} says; also below another path.
 */
@Tag("guides")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstallGuideIT {

    private static final Path DOCS = Path.of("docs").toAbsolutePath();
    private static final int ALERTS = 22;

    private final TestAuthority authority = new TestAuthority();
    private final HttpClient client = authority.client();
    private final PostgresServer postgres = new PostgresServer();
    private final int port = DistributionServer.freePort();
    private final int managementPort = DistributionServer.freePort();

    InstallGuideIT() throws IOException {}

    @AfterAll
    void stopDatabase() throws IOException {
        postgres.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/auth"})
    void serverAnswersAndPrometheusReadsItsMeters(String path, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
            throws IOException, InterruptedException {
        String database = "installed" + path.replace("/", "_");
        postgres.createDatabase(database);
        try (InstalledServer server = new InstalledServer(folder, settings(folder, path, database))) {
            server.install();
            awaitStart(server, path);
            assertTrue(Files.readString(server.log()).contains("Native code (Conscrypt "));

            createRealm(path);
            HttpResponse<String> answer = call(path);
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(
                    "application/token-introspection+jwt",
                    answer.headers().firstValue("Content-Type").orElse(""));

            prometheusEvaluatesEveryRule(folder, path);
            assertEquals(List.of(), LogSearch.search(server.log()));
        }
    }

    /** While it starts, only the check of the guide says that it is not ready. */
    private void awaitStart(InstalledServer server, String path) throws IOException {
        long start = System.nanoTime();
        server.start();
        TreeSet<String> early = new TreeSet<>();
        while (!server.isReady(start)) {
            String health = status(managementPort, path + "/health/started");
            String realm = status(port, path + "/realms/master");
            // It may have become ready in between.
            if (!server.isReady(start)) {
                early.add(health + " " + realm);
                call(path);
            }
        }
        assertTrue(early.contains("200 503"), early::toString);
        assertTrue(early.stream().noneMatch(both -> both.endsWith(" 200")), early::toString);
        assertEquals("200", status(port, path + "/realms/master"));
        assertEquals("200", status(managementPort, path + "/health/ready"));
    }

    private String status(int port, String path) {
        try {
            return "" + get(port, path).statusCode();
        } catch (UncheckedIOException e) {
            return "none";
        }
    }

    private HttpResponse<String> get(int port, String path) {
        return Http.send(client, Http.request("https://localhost:" + port + path));
    }

    /** With the administrator of {@code bootstrap-admin}. */
    private void createRealm(String path) throws IOException {
        String base = "https://localhost:" + port + path;
        JsonNode tokens = Http.json(Http.send(
                client,
                Http.form(
                        base + "/realms/master/protocol/openid-connect/token",
                        Map.of(
                                "grant_type",
                                "password",
                                "client_id",
                                "admin-cli",
                                "username",
                                KeycloakServer.ADMIN,
                                "password",
                                KeycloakServer.ADMIN_PASSWORD))));
        String realm = Files.readString(Path.of(System.getProperty("realm.export"), "federation-realm.json"));
        HttpResponse<String> created = Http.send(
                client,
                Http.request(base + "/admin/realms")
                        .header(
                                "Authorization",
                                "Bearer " + tokens.get("access_token").asText())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                realm.replaceAll("\\$\\{" + KeycloakServer.BASE_URL_VARIABLE + "[^}]*}", base))));
        assertEquals(201, created.statusCode(), created.body());
    }

    /** @return the answer; null if nobody listens yet */
    private HttpResponse<String> call(String path) {
        try {
            return Http.send(
                    client,
                    Http.form(
                            "https://localhost:" + port + path + "/realms/federation/api/v2/checktoken",
                            Map.of("client_id", "dp-tax", "client_secret", "dp-tax-demo-secret", "token", "unknown")));
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    private void prometheusEvaluatesEveryRule(Path folder, String path) throws IOException, InterruptedException {
        String configuration = MarkdownBlocks.of(DOCS.resolve("operations.md")).stream()
                .filter(block -> block.text().contains("scrape_configs"))
                .findFirst()
                .orElseThrow()
                .text()
                .replaceAll("\\[\"node-1.*]", "[\"localhost:" + managementPort + "\"]")
                .replace("metrics_path: /metrics", "metrics_path: " + path + "/metrics");
        Files.copy(authority.certificate(), folder.resolve("ca.crt"));
        String rules = Files.readString(DOCS.resolve("monitoring/checktoken-rules.yml"));
        Files.writeString(folder.resolve("checktoken-rules.yml"), rules);
        try (Prometheus prometheus = new Prometheus(folder, configuration, DistributionServer.freePort())) {
            prometheus.awaitFirstEvaluation();
            assertEquals(ALERTS, prometheus.rules().size());
            // The call that got an answer, and those that were rejected at the start, whose label is their path.
            assertTrue(prometheus.value(calls(rules, "200")) > 0);
            assertTrue(prometheus.value(calls(rules, "5..")) > 0);
        }
    }

    /** @return a query for the number of calls, which it selects as the rules do */
    private static String calls(String rules, String status) {
        Matcher uri = Pattern.compile("uri=~\"[^\"]+\"").matcher(rules);
        assertTrue(uri.find());
        return "sum(http_server_requests_seconds_count{" + uri.group() + ",status=~\"" + status + "\"})";
    }

    private String settings(Path folder, String path, String database) throws IOException {
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        authority.writeServerPem(certificate, key);
        String url = postgres.arguments(database).get(1).replace("--db-url=", "");
        String example = Files.readString(DOCS.resolve("examples/keycloak.conf"));
        String changed = example.replace("/etc/keycloak/tls.crt", "" + certificate)
                .replace("/etc/keycloak/tls.key", "" + key)
                .replace("https://login.example.org", "https://localhost:" + port + path)
                .replaceAll("db-url=.*", "db-url=" + url);
        return (path.isEmpty() ? changed : changed.replace("#http-relative-path", "http-relative-path"))
                + "https-port=" + port + "\nhttp-management-port=" + managementPort
                + "\ncache-embedded-network-bind-address=127.0.0.1\n";
    }
}
