package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.RawHttp;
import io.github.checktoken.support.client.SourceAddressClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests two nodes that share one PostgreSQL. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WRONG_SECRETS = 30;
    private static final int TIMED = 2_000;
    private static final String AWAY = "The database is unavailable";

    private PostgresServer postgres;
    private final List<DistributionServer> nodes = new ArrayList<>();
    private Federation federation;

    @BeforeAll
    void startAll() throws Exception {
        postgres = new PostgresServer();
        startNode();
        startNode();
        federation = new Federation(nodes.get(0));
        await(() -> Files.readString(nodes.get(0).log()).contains("ISPN000094: Received new cluster view")
                && Files.readString(nodes.get(1).log()).contains("(2)"));
    }

    @AfterAll
    void stopAll() throws IOException {
        nodes.forEach(DistributionServer::close);
        postgres.close();
    }

    @Test
    void savingADataProviderAtOneNodeReloadsItsKeyAtBoth() throws Exception {
        ECKey first = key("first");
        ECKey second = key("second");
        try (JwksServer host = new JwksServer(nodes.get(0), first)) {
            DataProviderClient dataProvider = federation
                    .newDataProvider()
                    .encryptedWith("ECDH-ES")
                    .jwksUrl(host.url())
                    .decryptingWith(first)
                    .create();
            assertEquals(List.of("first", "first"), keyIds(dataProvider));
            host.serve(second);
            assertEquals(List.of("first", "first"), keyIds(dataProvider));

            federation.admin().update(federation.admin().client(dataProvider.clientId()), client -> {});

            assertEquals("second", keyIds(dataProvider).get(0));
            await(() -> keyIds(dataProvider).equals(List.of("second", "second")));
        }
    }

    @Test
    void wrongSecretsAreCountedForBothNodes() {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        try (SourceAddressClient stranger = new SourceAddressClient("127.0.9.1", 1);
                SourceAddressClient elsewhere = new SourceAddressClient("127.0.9.2", 1)) {
            for (int i = 0; i < WRONG_SECRETS; i++) {
                assertEquals(401, post(stranger, i % 2, dataProvider, "wrong-" + i));
            }
            for (int node = 0; node < 2; node++) {
                assertEquals(401, post(stranger, node, dataProvider, dataProvider.secret()));
                assertEquals(200, post(elsewhere, node, dataProvider, dataProvider.secret()));
            }
        }
    }

    /** Each address guesses only a few times, because the server does not check guesses beyond the limit. */
    @Test
    void unknownClientTakesAsLongAsAWrongSecret() throws IOException {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        RawHttp http = new RawHttp(nodes.get(0).baseUrl());
        medianMicros(http, dataProvider);
        long[] micros = medianMicros(http, dataProvider);

        System.out.printf("unknown client %d µs, wrong secret %d µs (medians of %d)%n", micros[0], micros[1], TIMED);
        assertTrue(Math.abs(micros[0] - micros[1]) < micros[1] / 10, Arrays.toString(micros));
    }

    /** @return for an unknown client, and for a known one with a wrong secret, asked in turns */
    private long[] medianMicros(RawHttp http, DataProviderClient dataProvider) throws IOException {
        String path = URI.create(url(nodes.get(0))).getPath();
        long[][] nanos = new long[2][TIMED];
        for (int i = 0; i < 2 * TIMED; i++) {
            // Every other pair the other way round, because every tenth call has a new connection.
            int known = (i + i / 2) % 2;
            // As long as the known client id.
            String clientId = known == 1 ? dataProvider.clientId() : "dp-" + UUID.randomUUID();
            String body = "client_id=" + clientId + "&client_secret=" + UUID.randomUUID() + "&token=any-token";
            String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                    + "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n";
            long begin = System.nanoTime();
            assertEquals(
                    401,
                    http.send(head, body.getBytes(StandardCharsets.US_ASCII)).status());
            nanos[known][i / 2] = System.nanoTime() - begin;
        }
        return Arrays.stream(nanos)
                .mapToLong(each -> Arrays.stream(each).sorted().toArray()[TIMED / 2] / 1_000)
                .toArray();
    }

    /** The token is valid. While the database is away, no answer says whether it is. */
    @Test
    void bothNodesSayThatTheyWillBeBackWhenTheDatabaseIsAndAreBack() throws Exception {
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        for (int node = 0; node < 2; node++) {
            assertEquals(Boolean.TRUE, check(node, token).get("active"));
        }
        postgres.stop();
        try {
            for (int node = 0; node < 2; node++) {
                for (int call = 0; call < 5; call++) {
                    HttpResponse<String> answer = tax(node).post(token);
                    assertEquals(503, answer.statusCode(), answer.body());
                    assertEquals(
                            "temporarily_unavailable",
                            Http.json(answer.body()).path("error").asText());
                    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
                }
                DistributionServer each = nodes.get(node);
                await(() -> linesWith(AWAY, each) > 0);
                assertEquals(1, linesWith(AWAY, each));
            }
        } finally {
            postgres.start();
        }
        for (int i = 0; i < 2; i++) {
            int node = i;
            await(() -> tax(node).post(token).statusCode() == 200);
            assertEquals(Boolean.TRUE, check(node, token).get("active"));
        }
    }

    /** The trigger closes the connection when the call commits, after its event was written. */
    @Test
    void callWhoseCommitFailsBecauseTheDatabaseGoesIsAnswered503() throws IOException {
        HttpResponse<String> answer;
        postgres.execute("CREATE FUNCTION go() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'");
        postgres.execute(
                "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON event_entity DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION go()");
        try {
            answer = tax(0).post("any-token");
        } finally {
            postgres.execute("DROP FUNCTION go CASCADE");
        }
        assertEquals(503, answer.statusCode(), answer.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(answer.body()).path("error").asText());
        assertEquals(200, tax(0).post("any-token").statusCode());
    }

    /** All nodes have the first node's address, so that every node accepts the tokens of the others. */
    private void startNode() throws IOException {
        List<String> arguments = new ArrayList<>(postgres.arguments());
        arguments.addAll(List.of("--cache=ispn", "--cache-embedded-network-bind-address=127.0.0.1"));
        if (!nodes.isEmpty()) {
            arguments.add("--hostname=" + nodes.get(0).baseUrl());
        }
        nodes.add(DistributionServer.node("keycloak-node-" + nodes.size(), arguments));
    }

    private Map<String, Object> check(int node, String token) {
        return tax(node).check(token).introspection();
    }

    private DataProviderClient tax(int node) {
        return new Federation(nodes.get(node)).tax();
    }

    private List<String> keyIds(DataProviderClient dataProvider) throws Exception {
        List<String> keyIds = new ArrayList<>();
        for (DistributionServer node : nodes) {
            HttpResponse<String> answer = Http.send(Http.form(
                    url(node),
                    Map.of(
                            "client_id", dataProvider.clientId(),
                            "client_secret", dataProvider.secret(),
                            "token", "any-token")));
            keyIds.add(JWEObject.parse(answer.body()).getHeader().getKeyID());
        }
        return keyIds;
    }

    private int post(SourceAddressClient caller, int node, DataProviderClient dataProvider, String secret) {
        Map<String, String> form =
                Map.of("client_id", dataProvider.clientId(), "client_secret", secret, "token", "any-token");
        return caller.post(url(nodes.get(node)), form, null).status();
    }

    private static String url(DistributionServer node) {
        return node.realmUrl(Federation.REALM) + "/api/v2/checktoken";
    }

    private static long linesWith(String words, DistributionServer node) throws IOException {
        return Files.readAllLines(node.log()).stream()
                .filter(line -> line.contains(words))
                .count();
    }

    private static ECKey key(String keyId) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256)
                .keyUse(KeyUse.ENCRYPTION)
                .keyID(keyId)
                .generate();
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "the condition was not met within " + LIMIT);
            Thread.sleep(200);
        }
    }
}
