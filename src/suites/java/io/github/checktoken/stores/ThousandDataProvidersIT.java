package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.PostgresServer;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The administrators' view of 1,000 data providers among 1,500 other clients, on a node that knows none of them.
 * Every 50th data provider has no salt.
 */
@Tag("stores")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThousandDataProvidersIT {

    private static final int DATA_PROVIDERS = 1000;
    private static final int OTHERS = 1500;
    private static final int WITHOUT_SALT = 50;
    private static final String SALT = "pairwiseSubAlgorithmSalt";
    private static final int IN_AN_IMPORT = 250;
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final String VIEW = "/checktoken/data-providers";

    private PostgresServer database;
    private ProductionServer server;
    private JwksServer host;
    private AdminApi admin;
    private int realmsOwn;

    @BeforeAll
    void start() throws IOException, InterruptedException, JOSEException {
        database = new PostgresServer();
        List<String> arguments = new ArrayList<>(database.arguments());
        arguments.add("--log-level=" + KeycloakServer.LOG_LEVEL);
        server = new ProductionServer(
                Path.of(System.getProperty("keycloak.home")).getParent(),
                "keycloak-list",
                List.of(Path.of(System.getProperty("checktoken.jar"))),
                arguments,
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")));
        RSAKey key = new RSAKeyGenerator(3072).keyID("2026").generate();
        host = new JwksServer(server, key);
        admin = Federation.copy(server, 1).admin();
        realmsOwn = admin.dataProviders().size();
        long begin = System.nanoTime();
        create(OTHERS, this::other);
        create(DATA_PROVIDERS, this::dataProvider);
        IntStream.range(0, DATA_PROVIDERS / WITHOUT_SALT)
                .mapToObj(number -> admin.client(name(number * WITHOUT_SALT)))
                .forEach(client ->
                        admin.update(client, json -> ((ObjectNode) json.at("/protocolMappers/0/config")).remove(SALT)));
        System.out.printf(
                "%d clients imported in %d s%n",
                OTHERS + DATA_PROVIDERS, since(begin).toSeconds());
    }

    @AfterAll
    void stop() throws IOException {
        if (host != null) {
            host.close();
        }
        if (server != null) {
            server.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    void lastPageOfANodeThatHasJustStartedTakesTwoSecondsAtMost() throws IOException, InterruptedException {
        server.stop();
        server.start();
        // Loads the classes. Then the node still knows no client of the page.
        long begin = System.nanoTime();
        admin.get(VIEW + "?max=1");
        report("of one, the first after a restart", "max=1", since(begin));
        assertPage("after a restart", "first=900&max=100");
    }

    @Test
    void eachPageAfterTheCachesWereClearedTakesTwoSecondsAtMost() {
        for (String page : List.of("first=0&max=200", "first=900&max=100", "first=0&max=100&sort=lastAnswer")) {
            admin.post("/clear-realm-cache", Map.of());
            assertPage("with empty caches", page);
        }
    }

    @Test
    void filterFindsEachDataProviderWithoutASalt() {
        admin.post("/clear-realm-cache", Map.of());
        long begin = System.nanoTime();
        HttpResponse<String> response = admin.send("GET", VIEW + "?problem=noSalt&max=200", null);
        report("filter with empty caches", "problem=noSalt", since(begin));
        assertEquals(
                IntStream.range(0, DATA_PROVIDERS / WITHOUT_SALT)
                        .mapToObj(number -> name(number * WITHOUT_SALT))
                        .toList(),
                StreamSupport.stream(Http.json(response.body()).spliterator(), false)
                        .map(status -> status.path("clientId").asText())
                        .filter(name -> name.startsWith("p-"))
                        .toList());
    }

    @Test
    void mapOfTheFederationAfterTheCachesWereClearedTakesTwoSecondsAtMost() {
        admin.post("/clear-realm-cache", Map.of());
        long begin = System.nanoTime();
        HttpResponse<String> response = admin.send("GET", "/checktoken/federation", null);
        Duration took = since(begin);
        report("of the map", response.body().length() + " characters", took);
        assertTrue(Http.json(response.body()).size() > DATA_PROVIDERS + OTHERS, response::body);
        assertTrue(took.compareTo(LIMIT) <= 0, () -> took.toMillis() + " ms");
    }

    private void assertPage(String when, String query) {
        long begin = System.nanoTime();
        HttpResponse<String> response = admin.send("GET", VIEW + "?" + query, null);
        Duration took = since(begin);
        report(when, query, took);
        JsonNode page = Http.json(response.body());
        assertTrue(page.size() >= 100, response::body);
        assertTrue(took.compareTo(LIMIT) <= 0, () -> when + ", " + query + ": " + took.toMillis() + " ms");
        assertEquals(
                "" + (DATA_PROVIDERS + realmsOwn),
                response.headers().firstValue("X-Total-Count").orElse(""));
    }

    private static void report(String when, String query, Duration took) {
        System.out.printf("A page %s, %s: %d ms%n", when, query, took.toMillis());
    }

    private void create(int count, IntFunction<Map<String, Object>> client) {
        for (int first = 0; first < count; first += IN_AN_IMPORT) {
            List<Map<String, Object>> clients = IntStream.range(first, first + IN_AN_IMPORT)
                    .mapToObj(client)
                    .toList();
            admin.post("/partialImport", Map.of("ifResourceExists", "FAIL", "clients", clients));
        }
    }

    private Map<String, Object> other(int number) {
        return Map.of(
                "clientId",
                String.format("a-%04d", number),
                "secret",
                "secret-of-the-other-" + number,
                "optionalClientScopes",
                List.of("tax_income"));
    }

    private Map<String, Object> dataProvider(int number) {
        Map<String, String> settings = Map.of(SALT, "salt-of-" + number);
        return Map.of(
                "clientId",
                name(number),
                "secret",
                "secret-of-the-data-provider-" + number,
                "standardFlowEnabled",
                false,
                "attributes",
                Map.of("use.jwks.url", "true", "jwks.url", host.url() + "?" + number),
                "defaultClientScopes",
                List.of("identity"),
                "optionalClientScopes",
                List.of("tax_income"),
                "protocolMappers",
                List.of(NewDataProvider.mapperJson("Data provider", "oidc-data-provider-mapper", settings)));
    }

    private static String name(int number) {
        return String.format("p-%04d", number);
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
