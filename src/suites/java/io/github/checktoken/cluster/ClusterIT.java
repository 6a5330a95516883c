package io.github.checktoken.cluster;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.RealmKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What one node writes, the other reads. Also two nodes whose PostgreSQL goes and comes back. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterIT {

    /** Both directions: the node that writes, and the node that reads. */
    private static final String BOTH_WAYS = """
            0, 1
            1, 0
            """;

    private static final Pattern METER = Pattern.compile("\\b(agroal|http|jvm|process|vendor)_[a-z_]+");
    private static final String AWAY = "The database is unavailable";

    private final Cluster cluster;

    ClusterIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void tokenOfOneNodeHasTheSameAnswerAtTheOther(int one, int other) {
        String token = signIn(one).accessToken();
        Map<String, Object> answer = check(other, token);

        assertEquals(Boolean.TRUE, answer.get("active"));
        assertEquals("sp-town", answer.get("aud"));
        assertEquals(check(one, token), answer);
    }

    /** An alert for a meter that a node does not have never fires. Our own meters have tests of their own. */
    @Test
    void nodeHasTheMetersOfTheAlertsAndOfTheDashboard() throws IOException {
        check(0, signIn(0).accessToken());
        String node = Http.send(Http.request(cluster.node(0).managementUrl() + "/metrics"))
                .body();

        List<String> missing = new ArrayList<>();
        for (String file : List.of("checktoken-rules.yml", "checktoken-dashboard.json")) {
            List<String> meters = METER.matcher(Files.readString(Path.of("docs/monitoring", file)))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertFalse(meters.isEmpty(), file);
            meters.stream()
                    .filter(meter -> !Pattern.compile("(?m)^" + meter + "[{ ]")
                            .matcher(node)
                            .find())
                    .forEach(missing::add);
        }
        assertEquals(List.of(), missing);
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void loginBegunAtOneNodeAndFinishedAtTheOtherHasItsAmr(int one, int other) {
        AtomicInteger node = new AtomicInteger(one);
        Browser browser = cluster.browser(node::get);
        HttpResponse<String> page = browser.get(request(one).url());
        node.set(other);
        HttpResponse<String> redirect = browser.givePassword(page, "camille");
        Tokens tokens = town(one).redeem(redirect);

        assertEquals("fc pwd", tokens.amr());
        assertEquals("fc pwd", town(other).refresh(tokens).amr());
        assertEquals(Boolean.TRUE, check(other, tokens.accessToken()).get("active"));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void sessionOfOneNodeCountsAtTheOther(int one, int other) {
        AtomicInteger node = new AtomicInteger(one);
        Browser browser = cluster.browser(node::get);
        town(one).signIn(browser, "camille", request(one));
        node.set(other);

        assertEquals(
                "fc pwd", town(other).redeem(browser.get(request(other).url())).amr());
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void logoutAtOneNodeEndsTheTokenAtTheOther(int one, int other) {
        Tokens tokens = signIn(other);
        assertEquals(Boolean.TRUE, check(other, tokens.accessToken()).get("active"));

        town(one).logOut(tokens);

        assertEquals(Map.of("active", false), check(other, tokens.accessToken()));
        assertEquals(Map.of("active", false), check(one, tokens.accessToken()));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void tokenRevokedAtOneNodeIsInactiveAtTheOther(int one, int other) {
        String token = signIn(other).accessToken();
        assertEquals(Boolean.TRUE, check(other, token).get("active"));

        town(one).revoke(token);

        assertEquals(Map.of("active", false), check(other, token));
    }

    /** The nodes tell each other when they have committed, so the other one can be a moment behind. */
    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void newSettingsOfADataProviderCountAtTheOtherNode(int one, int other) throws Exception {
        DataProviderClient dataProvider =
                cluster.federation(other).newDataProvider().create();
        String token = signIn(other).accessToken();
        assertEquals("", dataProvider.check(token).introspection().get("scope"));
        AdminApi admin = cluster.federation(one).admin();
        String client = admin.client(dataProvider.clientId());

        admin.put(client + "/optional-client-scopes/" + admin.clientScope("tax_income"), null);
        Cluster.await(
                "the new scope",
                () -> "tax_income"
                        .equals(dataProvider.check(token).introspection().get("scope")));

        admin.update(client, json -> json.put("enabled", false));
        Cluster.await("401", () -> dataProvider.post(token).statusCode() == 401);
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void newKeySetSavedAtOneNodeEncryptsAtTheOther(int one, int other) throws Exception {
        ECKey first = key("first");
        ECKey second = key("second");
        DataProviderClient dataProvider = cluster.federation(other)
                .newDataProvider()
                .encryptedWith("ECDH-ES")
                .key(first)
                .create();
        assertEquals(List.of("first", "first"), keyIds(dataProvider));

        AdminApi admin = cluster.federation(one).admin();
        admin.update(
                admin.client(dataProvider.clientId()),
                json -> ((ObjectNode) json.get("attributes")).put("jwks.string", JwksServer.json(second)));

        assertEquals("second", keyIds(dataProvider).get(one));
        Cluster.await("the second key", () -> keyIds(dataProvider).equals(List.of("second", "second")));
    }

    /** An answer is read with the key that the answering node publishes. A token of the earlier key stays valid. */
    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void realmKeyRotatedAtOneNodeSignsAtTheOther(int one, int other) throws Exception {
        String token = signIn(other).accessToken();
        String before = signingKeyId(other);
        try (RealmKeys keys = new RealmKeys(cluster.federation(one).admin())) {
            keys.add("ES256", 1_000);
            String next = signingKeyId(one);
            assertNotEquals(before, next);

            Cluster.await("the next key", () -> next.equals(signingKeyId(other)));
            assertTrue(tax(other).check(token).active());
            assertTrue(tax(other).check(signIn(one).accessToken()).active());
        }
        Cluster.await("the key before", () -> before.equals(signingKeyId(other)));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOTH_WAYS)
    void keyIsWithdrawnAtTheOtherNodeBySavingTheClientAndNotByClearingTheRealmCache(int one, int other)
            throws Exception {
        ECKey first = key("first");
        ECKey second = key("second");
        try (JwksServer host = new JwksServer(cluster.node(0), first)) {
            DataProviderClient dataProvider = cluster.federation(other)
                    .newDataProvider()
                    .encryptedWith("ECDH-ES")
                    .jwksUrl(host.url())
                    .decryptingWith(first)
                    .create();
            assertEquals(List.of("first", "first"), keyIds(dataProvider));
            host.serve(second);
            AdminApi admin = cluster.federation(one).admin();
            String client = admin.client(dataProvider.clientId());

            clearRealmCaches();
            assertEquals(List.of("first", "first"), keyIds(dataProvider));

            clearRealmCaches();
            admin.update(client, unchanged -> {});
            assertEquals("second", keyIds(dataProvider).get(one));
            Cluster.await("the second key", () -> keyIds(dataProvider).equals(List.of("second", "second")));
        }
    }

    /** The token is valid. While the database is unavailable, no answer says whether it is. */
    @Test
    void bothNodesSayThatTheyWillBeBackWhenTheDatabaseIsAndAreBack() throws Exception {
        String token = signIn(0).accessToken();
        for (int node = 0; node < 2; node++) {
            assertEquals(Boolean.TRUE, check(node, token).get("active"));
        }
        int[] linesBefore = {linesWith(AWAY, 0), linesWith(AWAY, 1)};
        cluster.postgres().stop();
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
                int each = node;
                Cluster.await("the warning", () -> linesWith(AWAY, each) > linesBefore[each]);
                assertEquals(linesBefore[each] + 1, linesWith(AWAY, each));
            }
        } finally {
            cluster.postgres().start();
        }
        for (int i = 0; i < 2; i++) {
            int node = i;
            Cluster.await("an answer", () -> tax(node).post(token).statusCode() == 200);
            assertEquals(Boolean.TRUE, check(node, token).get("active"));
        }
        cluster.awaitEntrance();
    }

    /** The trigger closes the connection when the call commits, after its event was written. */
    @Test
    void callWhoseCommitFailsBecauseTheDatabaseGoesIsAnswered503() throws IOException {
        HttpResponse<String> answer;
        cluster.postgres()
                .execute("CREATE FUNCTION go() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'");
        cluster.postgres()
                .execute(
                        "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON event_entity DEFERRABLE INITIALLY DEFERRED"
                                + " FOR EACH ROW EXECUTE FUNCTION go()");
        try {
            answer = tax(0).post("any-token");
        } finally {
            cluster.postgres().execute("DROP FUNCTION go CASCADE");
        }
        assertEquals(503, answer.statusCode(), answer.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(answer.body()).path("error").asText());
        assertEquals(200, tax(0).post("any-token").statusCode());
    }

    private void clearRealmCaches() {
        for (int node = 0; node < 2; node++) {
            cluster.federation(node).admin().post("/clear-realm-cache", Map.of());
        }
    }

    private Tokens signIn(int node) {
        return town(node).signIn(cluster.browser(() -> node), "camille", Federation.ALL_SCOPES);
    }

    private ServiceProvider town(int node) {
        return cluster.federation(node).town();
    }

    private AuthorizationRequest request(int node) {
        return town(node).request().askingForAmr();
    }

    private Map<String, Object> check(int node, String token) {
        return tax(node).check(token).introspection();
    }

    private DataProviderClient tax(int node) {
        return cluster.federation(node).tax();
    }

    private String signingKeyId(int node) {
        return tax(node).check("any-token").signature().getKeyID();
    }

    private List<String> keyIds(DataProviderClient dataProvider) throws Exception {
        List<String> keyIds = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
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

    private String url(int node) {
        return cluster.node(node).realmUrl(Federation.REALM) + "/api/v2/checktoken";
    }

    private int linesWith(String words, int node) throws IOException {
        return (int) Files.readAllLines(cluster.node(node).log()).stream()
                .filter(line -> line.contains(words))
                .count();
    }

    private static ECKey key(String keyId) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256)
                .keyUse(KeyUse.ENCRYPTION)
                .keyID(keyId)
                .generate();
    }
}
