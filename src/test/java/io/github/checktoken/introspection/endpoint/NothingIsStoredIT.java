package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpRequest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Calls store only events. The test counts the rows of all tables before and after many calls of every kind. */
@ExtendWith(KeycloakExtension.class)
@Isolated
class NothingIsStoredIT {

    private static final int CONNECTIONS = 4;

    private final Federation federation;
    private final AdminApi admin;

    NothingIsStoredIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void tenCallsOfEveryKindLeaveOnlyEvents() throws Exception {
        assertLeaveOnlyEvents(10);
    }

    @Test
    @Tag("long")
    void thousandCallsOfEveryKindLeaveOnlyEvents() throws Exception {
        assertLeaveOnlyEvents(1_000);
    }

    private void assertLeaveOnlyEvents(int callsOfEach) throws Exception {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's database");
        Database database = ((DistributionServer) federation.server()).database();
        Map<String, Callable<Integer>> calls = calls();
        for (Callable<Integer> call : calls.values()) {
            call.call();
        }
        // The admin API may sign in, which changes the database. So it is called before the first count and after the
        // last one.
        List<JsonNode> realmBefore = lookAtRealm();
        Map<String, Long> rowsBefore = settled(database);

        for (Map.Entry<String, Callable<Integer>> kind : calls.entrySet()) {
            run(kind.getKey(), kind.getValue(), callsOfEach);
        }
        for (Map.Entry<String, Callable<Integer>> kind : callsWithoutEvent().entrySet()) {
            run(kind.getKey(), kind.getValue(), callsOfEach);
        }

        Map<String, Long> rowsAfter = settled(database);
        long events = rowsAfter.get("EVENT_ENTITY") - rowsBefore.get("EVENT_ENTITY");
        rowsBefore.put("EVENT_ENTITY", rowsAfter.get("EVENT_ENTITY"));
        assertEquals(rowsBefore, rowsAfter);
        assertEquals(
                (long) calls.size() * callsOfEach, events, "each call that reached the endpoint must have one event");
        assertEquals(realmBefore, lookAtRealm());
    }

    private Map<String, Callable<Integer>> calls() {
        Tokens tokens = federation.town().signIn("camille", Federation.ALL_SCOPES + " offline_access");
        String token = tokens.accessToken();
        String tax = "client_id=dp-tax&client_secret=dp-tax-demo-secret&token=";
        String lightweight = serviceProvider(Map.of("client.use.lightweight.access.token.enabled", "true"))
                .token(Map.of("grant_type", "password", "username", "ange", "password", "demo-password"))
                .accessToken();
        String sessionless = serviceProvider(Map.of())
                .token(Map.of("grant_type", "client_credentials"))
                .accessToken();
        String noSigningKey = credentials(federation.newDataProvider().signedWith("ES512"));
        String badSetting =
                credentials(federation.newDataProvider().setting("introspection.encrypted.response.enc", "no"));
        String noEncryptionKey = credentials(federation.newDataProvider().encryptedWith("ECDH-ES"));

        Map<String, Callable<Integer>> calls = new LinkedHashMap<>();
        calls.put("active, RSA 200", () -> post(tax + token));
        calls.put(
                "active, EC 200", () -> post("client_id=dp-health&client_secret=dp-health-demo-secret&token=" + token));
        calls.put("not active 200", () -> post(tax + "unknown"));
        calls.put("ID token 200", () -> post(tax + tokens.idToken()));
        calls.put("lightweight 200", () -> post(tax + lightweight));
        calls.put("without a session 200", () -> post(tax + sessionless));
        calls.put(
                "wrong content type 415",
                () -> status(Http.form(federation.url() + "/checktoken", "token=t")
                        .setHeader("Content-Type", "application/json")));
        calls.put("missing parameter 400", () -> post(tax));
        calls.put("wrong secret 401", () -> post("client_id=dp-tax&client_secret=wrong&token=" + token));
        calls.put("unknown client 401", () -> post("client_id=nobody&client_secret=wrong&token=" + token));
        calls.put(
                "no data provider 403",
                () -> post("client_id=sp-bank&client_secret=sp-bank-demo-secret&token=" + token));
        calls.put("no encryption key 503", () -> post(noEncryptionKey + token));
        calls.put("no signing key 500", () -> post(noSigningKey + token));
        calls.put("unsupported setting 500", () -> post(badSetting + token));
        return calls;
    }

    /** Calls that are rejected before they reach the endpoint, and calls of the other paths. */
    private Map<String, Callable<Integer>> callsWithoutEvent() {
        String checktoken = federation.url() + "/checktoken";
        Map<String, Callable<Integer>> calls = new LinkedHashMap<>();
        calls.put("unreadable form 400", () -> post("token=%zz"));
        calls.put("wrong method 405", () -> status(Http.request(checktoken)));
        calls.put("too large 413", () -> post("token=" + "t".repeat(140_000)));
        calls.put("authorize 302", () -> status(Http.request(federation.url() + "/api/v1/authorize?scope=openid")));
        calls.put(
                "metadata 200",
                () -> status(Http.request(federation.url() + "/api/v2/.well-known/openid-configuration")));
        return calls;
    }

    private ServiceProvider serviceProvider(Map<String, String> attributes) {
        String clientId = "sp-" + UUID.randomUUID();
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        "demo-secret",
                        "directAccessGrantsEnabled",
                        true,
                        "authenticationFlowBindingOverrides",
                        Map.of("direct_grant", admin.flow("direct grant")),
                        "serviceAccountsEnabled",
                        true,
                        "attributes",
                        attributes));
        return new ServiceProvider(federation.server(), federation.realm(), clientId, "demo-secret", "");
    }

    private static String credentials(NewDataProvider dataProvider) {
        DataProviderClient client = dataProvider.create();
        return "client_id=" + client.clientId() + "&client_secret=" + client.secret() + "&token=";
    }

    private Integer post(String body) {
        return status(Http.form(federation.url() + "/api/v2/checktoken", body));
    }

    private static Integer status(HttpRequest.Builder request) {
        return Http.send(request).statusCode();
    }

    /** @param kind a name that ends with the status that each of the calls must have */
    private static void run(String kind, Callable<Integer> call, int times) throws Exception {
        Integer expected = Integer.valueOf(kind.substring(kind.lastIndexOf(' ') + 1));
        ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<Integer>> answers = connections.invokeAll(
                    IntStream.range(0, times).mapToObj(i -> call).toList());
            for (Future<Integer> answer : answers) {
                assertEquals(expected, answer.get(), kind);
            }
        } finally {
            connections.shutdownNow();
        }
    }

    /** Waits until the numbers of rows stay the same, because Keycloak writes sessions in the background. */
    private static Map<String, Long> settled(Database database) throws InterruptedException {
        Map<String, Long> rows = database.rows();
        Map<String, Long> before;
        do {
            before = rows;
            TimeUnit.SECONDS.sleep(1);
            rows = database.rows();
        } while (!rows.equals(before));
        return rows;
    }

    private List<JsonNode> lookAtRealm() {
        String camille = admin.user("camille");
        return Stream.of(
                        "/components?type=org.keycloak.keys.KeyProvider",
                        "/keys",
                        "/client-session-stats",
                        camille + "/sessions",
                        "/clients?max=1000")
                .map(admin::get)
                .map(NothingIsStoredIT::ordered)
                .toList();
    }

    /** Sorts arrays, because the order of a client's scopes can change when Keycloak reads the client again. */
    private static JsonNode ordered(JsonNode json) {
        if (json.isObject()) {
            ObjectNode object = Http.JSON.createObjectNode();
            json.properties().forEach(member -> object.set(member.getKey(), ordered(member.getValue())));
            return object;
        }
        if (json.isArray()) {
            ArrayNode array = Http.JSON.createArrayNode();
            StreamSupport.stream(json.spliterator(), false)
                    .map(NothingIsStoredIT::ordered)
                    .sorted(Comparator.comparing(JsonNode::toString))
                    .forEach(array::add);
            return array;
        }
        return json;
    }
}
