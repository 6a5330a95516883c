package io.github.checktoken.introspection.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How an administrator finds mistakes in the list of data providers: pages, filter, order, and the times of each. */
@ExtendWith(KeycloakExtension.class)
class FindingMistakesIT {

    private final Federation federation;
    private final AdminApi admin;

    FindingMistakesIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void totalIsOfAllPages() {
        int total = all().size();
        assertEquals(total, total("first=1&max=1"));
        assertEquals(total, total("first=" + (total + 5)));
    }

    @Test
    void filterListsThoseWithThisProblemOnAllPages() {
        String one =
                federation.newDataProvider().with("publicClient", true).create().clientId();
        String other =
                federation.newDataProvider().with("publicClient", true).create().clientId();
        List<String> expected = all().stream()
                .filter(status -> status.path("problemNames").toString().contains("\"public\""))
                .map(status -> status.path("clientId").asText())
                .toList();
        assertTrue(expected.containsAll(List.of(one, other)), expected::toString);

        assertEquals(expected, list("problem=public&max=200"));
        assertEquals(expected.subList(1, 2), list("problem=public&first=1&max=1"));
        assertEquals(expected.size(), total("problem=public&max=1"));
    }

    @Test
    void filterAnyListsThoseWithAProblemOrAWarning() throws JOSEException {
        DataProviderClient good = federation
                .newDataProvider()
                .key(new RSAKeyGenerator(3072).generate())
                .setting("pairwiseSubAlgorithmSalt", "salt of one without a problem")
                .optionalScopes("tax_income")
                .create();
        assertEquals(Http.json("[]"), status(good.clientId()).path("problemNames"));
        List<String> any = list("problem=any&max=200");
        assertFalse(any.contains(good.clientId()), any::toString);
        // Its key and its secret are weak, and it has no problem.
        assertTrue(any.contains("dp-tax"), any::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"problem=nosalt", "sort=name"})
    void misspeltFilterIsAnError(String query) {
        assertEquals(
                400,
                admin.send("GET", "/checktoken/data-providers?" + query, null).statusCode());
    }

    @Test
    void lastAnswersAreShownAndSorted() {
        DataProviderClient first = federation.newDataProvider().create();
        DataProviderClient second = federation.newDataProvider().create();
        DataProviderClient never = federation.newDataProvider().create();
        assertTrue(status(first.clientId()).path("lastAnswer").isMissingNode());
        Instant begin = Instant.now();
        second.check("any-token");
        first.check("any-token");
        second.check("any-token");

        assertAround(begin, status(first.clientId()).path("lastAnswer"), 0);
        List<String> sorted = list("sort=lastAnswer&max=200");
        assertEquals(List.of(first.clientId(), second.clientId()), sorted.subList(sorted.size() - 2, sorted.size()));
        assertTrue(sorted.indexOf(never.clientId()) < sorted.indexOf(first.clientId()));
        assertEquals(
                sorted.stream().sorted().toList(),
                list("max=200").stream().sorted().toList());
    }

    /** One with the mapper in an optional scope is none. */
    @Test
    void mapperOfADefaultScopeMakesADataProvider() {
        String scope = "makes-data-providers-" + UUID.randomUUID();
        admin.create(
                "/client-scopes",
                Map.of(
                        "name",
                        scope,
                        "protocol",
                        "openid-connect",
                        "protocolMappers",
                        List.of(NewDataProvider.mapperJson("Data provider", "oidc-data-provider-mapper", Map.of()))));
        String byScope = federation
                .newDataProvider()
                .withoutOwnMapper()
                .defaultScopes("identity", scope)
                .create()
                .clientId();
        String none = federation
                .newDataProvider()
                .withoutOwnMapper()
                .optionalScopes(scope)
                .create()
                .clientId();
        String both = federation.newDataProvider().defaultScopes(scope).create().clientId();
        List<String> names = list("max=200");
        assertTrue(names.contains(byScope), names::toString);
        assertFalse(names.contains(none), names::toString);
        assertEquals(1, names.stream().filter(both::equals).count());
    }

    @Test
    void timesOfTheKeyAreShown() throws JOSEException {
        try (JwksServer host = new JwksServer(federation.server(), new RSAKeyGenerator(2048).generate())) {
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            Instant begin = Instant.now();
            JsonNode key = status(client.clientId()).path("key");
            assertAround(begin, key.path("lastFetch"), 0);
            assertAround(begin, key.path("knownSince"), 0);
            assertAround(begin, key.path("nextFetch"), 300);
            assertTrue(key.path("lastFetchError").isMissingNode(), key::toString);
        }
    }

    @Test
    void timeAndErrorOfAFailedFetchAreShown() {
        try (JwksServer host = new JwksServer(federation.server())) {
            host.behave(JwksServer.body(500, "text/plain", "down"));
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            Instant begin = Instant.now();
            JsonNode key = status(client.clientId()).path("key");
            assertEquals("status 500", key.path("lastFetchError").asText());
            assertAround(begin, key.path("lastFetch"), 0);
            assertAround(begin, key.path("nextFetch"), 10);
            assertTrue(key.path("knownSince").isMissingNode(), key::toString);
        }
    }

    @Test
    void inlineSetIsNotFetchedAgain() {
        JsonNode key = status(federation.newDataProvider().create().clientId()).path("key");
        assertTrue(key.has("lastFetch"), key::toString);
        assertFalse(key.has("nextFetch"), key::toString);
    }

    @Test
    void keyThatIsOlderThanAYearIsAWarning() {
        long now = Instant.now().getEpochSecond();
        DataProviderClient old = withKeyOf(now - Duration.ofDays(366).toSeconds());
        DataProviderClient young = withKeyOf(now - Duration.ofDays(364).toSeconds());
        assertWarning(old, "oldKey", "The encryption key is older than a year.");
        assertEquals(
                Instant.ofEpochSecond(now - Duration.ofDays(366).toSeconds()).toString(),
                status(old.clientId()).path("key").path("issued").asText());
        assertFalse(status(young.clientId()).path("problemNames").toString().contains("oldKey"));
    }

    private DataProviderClient withKeyOf(long issued) {
        return federation
                .newDataProvider()
                .jwks(JwksServer.json(federation.tax().privateKey())
                        .replace("\"kty\"", "\"iat\":" + issued + ",\"kty\""))
                .create();
    }

    @Test
    void gateThatIsOffIsAWarning() {
        DataProviderClient client = federation.newDataProvider().create();
        assertFalse(status(client.clientId()).path("problemNames").toString().contains("gateOff"));
        admin.update("", realm -> realm.withObject("/attributes").put("checktoken.login.gate", "off"));
        try {
            assertWarning(client, "gateOff", "The setting checktoken.login.gate is off,");
        } finally {
            admin.update("", realm -> realm.withObject("/attributes").put("checktoken.login.gate", "on"));
        }
    }

    @Test
    void loginWithAnotherSubjectIsAWarning() {
        DataProviderClient both = signingIn(federation.newDataProvider()).create();
        DataProviderClient pairwise = signingIn(federation.newDataProvider())
                .mapper(
                        "oidc-sha256-pairwise-sub-mapper",
                        Map.of("sectorIdentifierUri", "", "pairwiseSubAlgorithmSalt", "demo-salt"))
                .create();
        assertWarning(both, "twoSubjects", "People can sign in to this client, and the sub of that login is not");
        for (DataProviderClient client :
                List.of(pairwise, federation.newDataProvider().create())) {
            assertFalse(
                    status(client.clientId()).path("problemNames").toString().contains("twoSubjects"));
        }
    }

    private static NewDataProvider signingIn(NewDataProvider dataProvider) {
        return dataProvider
                .with("standardFlowEnabled", true)
                .with("redirectUris", List.of("https://dp.example.org/callback"));
    }

    private void assertWarning(DataProviderClient client, String name, String start) {
        JsonNode status = status(client.clientId());
        assertTrue(status.path("problemNames").toString().contains("\"" + name + "\""), status::toString);
        assertTrue(status.path("warnings").toString().contains("\"" + start), status::toString);
    }

    private static void assertAround(Instant begin, JsonNode time, int seconds) {
        Duration off = Duration.between(begin.plusSeconds(seconds), Instant.parse(time.asText()));
        assertTrue(off.abs().compareTo(Duration.ofSeconds(10)) < 0, () -> time + " is off by " + off);
    }

    private List<String> list(String query) {
        return StreamSupport.stream(
                        admin.get("/checktoken/data-providers?" + query).spliterator(), false)
                .map(status -> status.path("clientId").asText())
                .toList();
    }

    private int total(String query) {
        return Integer.parseInt(admin.send("GET", "/checktoken/data-providers?" + query, null)
                .headers()
                .firstValue("X-Total-Count")
                .orElseThrow());
    }

    private List<JsonNode> all() {
        return admin.dataProviders();
    }

    private JsonNode status(String clientId) {
        return admin.dataProvider(clientId);
    }
}
