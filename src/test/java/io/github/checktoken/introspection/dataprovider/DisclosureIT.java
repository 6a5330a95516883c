package io.github.checktoken.introspection.dataprovider;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.introspection.token.TokenSource;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests what a data provider learns about an active token: its own scopes, its own subject, and the identity data that
 * its own mappers give.
 */
@ExtendWith(KeycloakExtension.class)
class DisclosureIT {

    private static final String PAIRWISE = "oidc-sha256-pairwise-sub-mapper";
    private static final String HARDCODED = "oidc-hardcoded-claim-mapper";
    private static final String SESSION_NOTE = "oidc-usersessionmodel-note-mapper";

    private final Federation federation;
    private final AdminApi admin;

    DisclosureIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void scopeIsTheTokensKeptWhereRegisteredInTheTokensOrder() {
        // There are so many that the order can hardly be the client's by chance.
        List<String> registered = List.of(
                "tax_income",
                "tax_household",
                "health_rights",
                "given_name",
                "family_name",
                "gender",
                "birthdate",
                "birthplace",
                "birthcountry");
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .optionalScopes(registered.toArray(String[]::new))
                .create();
        Tokens tokens = signIn("openid email preferred_username " + String.join(" ", registered));

        String expected = Arrays.stream(
                        tokens.accessClaims().get("scope").asText().split(" "))
                .filter(registered::contains)
                .collect(Collectors.joining(" "));
        assertEquals(registered.size(), expected.split(" ").length);
        assertEquals(expected, introspect(dataProvider, tokens).get("scope"));
    }

    @Test
    void scopeIsEmptyWhenNoneIsRegisteredAndIdentityIsStillThere() {
        Map<String, Object> introspection = introspect(federation.tax(), signIn("openid health_rights"));
        assertEquals("", introspection.get("scope"));
        assertEquals(true, introspection.get("active"));
        assertEquals("Moreau", introspection.get("family_name"));
    }

    @Test
    void twoDataProvidersSeeTheirOwnScopesAndSubjectsOfOneToken() {
        Tokens tokens = signIn("openid tax_income health_rights");
        Map<String, Object> tax = introspect(federation.tax(), tokens);
        Map<String, Object> health = introspect(federation.health(), tokens);

        assertEquals("tax_income", tax.get("scope"));
        assertEquals("health_rights", health.get("scope"));
        assertNotEquals(tax.get("sub"), health.get("sub"));
    }

    /** Jackson fails at a depth of 1,000, and writes an infinite number as a text. */
    @Test
    void unusableValueIsLeftOutAndTheAdministratorReadsIt() throws IOException {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .mapper(HARDCODED, hardcodedJson("deep", "[".repeat(999) + "1" + "]".repeat(999)))
                .mapper(HARDCODED, hardcoded("dots" + ".a".repeat(2000), "text"))
                .mapper(HARDCODED, hardcodedJson("huge", "1e400"))
                .mapper(HARDCODED, hardcodedJson("fine", "[[1e300]]"))
                .create();
        Tokens tokens = signIn("openid");

        for (int call = 0; call < 3; call++) {
            Map<String, Object> introspection = introspect(dataProvider, tokens);
            assertEquals(List.of(List.of(1e300)), introspection.get("fine"));
            assertEquals("Moreau", introspection.get("family_name"));
            assertEquals(Set.of(), intersection(introspection.keySet(), Set.of("deep", "dots", "huge")));
        }
        // One line for each cause, although three calls left out three claims.
        assertEquals(
                2,
                Files.readAllLines(federation.server().log()).stream()
                        .filter(line ->
                                line.contains("Data provider '" + dataProvider.clientId() + "' gets answers without"))
                        .count());
        String problems = problems(dataProvider);
        assertTrue(problems.contains("the claim “huge” of a person: it has a number that is too large."), problems);
        assertTrue(problems.contains("of a person: it is nested deeper than 20 levels."), problems);
    }

    private static Set<String> intersection(Set<String> one, Set<String> other) {
        return one.stream().filter(other::contains).collect(Collectors.toSet());
    }

    private String problems(DataProviderClient dataProvider) {
        for (JsonNode status : admin.dataProviders()) {
            if (status.path("clientId").asText().equals(dataProvider.clientId())) {
                return status.path("problems").toString();
            }
        }
        throw new AssertionError("not listed");
    }

    @Test
    void renamedScopeFollows() {
        String scope = "scope-" + UUID.randomUUID();
        String id = admin.create("/client-scopes", Map.of("name", scope, "protocol", "openid-connect"));
        admin.put(admin.client("sp-town") + "/optional-client-scopes/" + id, null);
        try {
            DataProviderClient dataProvider = federation
                    .newDataProvider()
                    .optionalScopes(scope)
                    .telling("detail")
                    .create();
            assertEquals(
                    scope, introspect(dataProvider, signIn("openid " + scope)).get("scope"));
            admin.update("/client-scopes/" + id, it -> it.put("name", scope + "-2"));
            assertEquals(
                    scope + "-2",
                    introspect(dataProvider, signIn("openid " + scope + "-2")).get("scope"));
        } finally {
            admin.delete("/client-scopes/" + id);
        }
    }

    @Test
    void innerAudienceAndClientAreTheServiceProviderAsStrings() {
        Map<String, Object> introspection = introspect(federation.tax(), signIn("openid"));
        assertEquals("sp-town", introspection.get("aud"));
        assertEquals("sp-town", introspection.get("client_id"));
    }

    @Test
    void timesAndIdAreTheTokens() {
        Tokens tokens = signIn("openid");
        Map<String, Object> introspection = introspect(federation.tax(), tokens);
        for (String member : List.of("iat", "exp")) {
            assertEquals(
                    tokens.accessClaims().get(member).asLong(),
                    ((Number) introspection.get(member)).longValue(),
                    member);
        }
        assertEquals(tokens.accessClaims().get("jti").asText(), introspection.get("jti"));
    }

    @Test
    void subjectIsTheSameAtEveryServiceProvider() {
        Object atTown = introspect(federation.tax(), signIn("openid")).get("sub");
        Object atBank = introspect(federation.tax(), federation.bank().signIn("camille", "openid"))
                .get("sub");
        assertEquals(atTown, atBank);
    }

    @Test
    void subjectOutlivesASaveOfTheMapperWithoutSalt() {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        Tokens tokens = signIn("openid");
        Object before = introspect(dataProvider, tokens).get("sub");

        saveSalt(dataProvider, "");

        assertEquals(before, introspect(dataProvider, tokens).get("sub"));
    }

    @Test
    void subjectChangesWithTheSalt() {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        Tokens tokens = signIn("openid");
        Object before = introspect(dataProvider, tokens).get("sub");

        saveSalt(dataProvider, "another");

        assertNotEquals(before, introspect(dataProvider, tokens).get("sub"));
    }

    @Test
    void subjectIsWhatThePairwiseMapperGivesAtLogin() {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .defaultScopes("identity", "basic")
                .with("standardFlowEnabled", true)
                .with("redirectUris", List.of("https://dp.example.org/callback"))
                .mapper(PAIRWISE, Map.of("sectorIdentifierUri", "", "pairwiseSubAlgorithmSalt", "demo-salt"))
                .create();
        Tokens atDataProvider = serviceProvider(dataProvider).signIn("camille", "openid");

        String atLogin = Tokens.claims(atDataProvider.idToken()).get("sub").asText();
        assertEquals(atLogin, introspect(dataProvider, signIn("openid")).get("sub"));
        assertNotEquals(userId(), atLogin);
        // The data provider's own token gives the same subject. Its session has a client session of the data provider.
        assertEquals(atLogin, introspect(dataProvider, atDataProvider).get("sub"));
    }

    @Test
    void nobodyGetsAnotherSubjectBecauseThePairwiseMapperFails() {
        // Keycloak rejects such a mapper on a client, but not on a client scope.
        String withoutSector = clientScope(PAIRWISE, Map.of("pairwiseSubAlgorithmSalt", "demo-salt"));
        String withoutSalt = clientScope(PAIRWISE, Map.of("sectorIdentifierUri", "https://dp.example.org/"));
        Tokens tokens = signIn("openid");
        for (String scope : List.of(withoutSector, withoutSalt)) {
            DataProviderClient dataProvider = federation
                    .newDataProvider()
                    .defaultScopes("identity", "basic", scope)
                    .create();
            assertEquals(500, dataProvider.post(tokens.accessToken()).statusCode());
        }
    }

    @Test
    void userIdIsNowhereInTheAnswer() {
        DataProviderClient plain = federation
                .newDataProvider()
                .defaultScopes("identity", "basic", "acr", "profile", "email", "roles", "web-origins")
                .telling("email", "email_verified", "name", "preferred_username")
                .create();
        Tokens tokens = signIn("openid");
        for (DataProviderClient dataProvider : List.of(federation.tax(), federation.health(), plain)) {
            String answer = dataProvider.check(tokens.accessToken()).payload().toString();
            assertFalse(answer.contains(userId()), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "active",
                "aud",
                "client_id",
                "sub",
                "iss",
                "iat",
                "exp",
                "nbf",
                "jti",
                "scope",
                "acr",
                "cnf",
                "typ",
                "azp",
                "sid",
                "nonce",
                "auth_time",
                "amr",
                "realm_access",
                "resource_access",
                "allowed-origins",
                "token_type",
                "session_state",
                "authorization",
                "at_hash",
                "c_hash",
                "s_hash",
                "claims_locales",
                "category",
                "trusted-certs",
                "act",
                "may_act",
                "authorization_details",
                "token_introspection"
            })
    void mappersCannotSetProtocolMembers(String member) {
        Tokens tokens = signIn("openid tax_income");
        Map<String, Object> plain = introspect(federation.newDataProvider().create(), tokens);
        Map<String, Object> mapped = introspect(
                federation
                        .newDataProvider()
                        .mapper(HARDCODED, hardcoded(member, "forged"))
                        .create(),
                tokens);
        assertEquals(plain.get(member) == null, mapped.get(member) == null);
        assertFalse(String.valueOf(mapped.get(member)).contains("forged"));
    }

    @Test
    void mapperOfAMatchedOptionalScopeRunsOnlyWhenTheTokenHasTheScope() {
        String scope = clientScope(HARDCODED, hardcoded("detail", "yes"));
        String id = admin.clientScope(scope);
        admin.put(admin.client("sp-town") + "/optional-client-scopes/" + id, null);
        try {
            DataProviderClient dataProvider = federation
                    .newDataProvider()
                    .optionalScopes(scope)
                    .telling("detail")
                    .create();
            assertEquals(
                    "yes", introspect(dataProvider, signIn("openid " + scope)).get("detail"));
            assertFalse(introspect(dataProvider, signIn("openid")).containsKey("detail"));
            assertFalse(introspect(federation.tax(), signIn("openid " + scope)).containsKey("detail"));
        } finally {
            admin.delete("/client-scopes/" + id);
        }
    }

    @Test
    void dedicatedMapperGivesIdentityOnlyWithAddToTokenIntrospection() {
        Map<String, String> off = new HashMap<>(hardcoded("hidden", "yes"));
        off.put("introspection.token.claim", "false");
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .defaultScopes()
                .mapper(HARDCODED, hardcoded("shown", "yes"))
                .mapper(HARDCODED, off)
                .create();
        Map<String, Object> introspection = introspect(dataProvider, signIn("openid"));
        assertEquals("yes", introspection.get("shown"));
        assertFalse(introspection.containsKey("hidden"));
        assertFalse(introspection.containsKey("family_name"));
    }

    /** Only a service provider that asks learns how the person signed in. */
    @Test
    void mapperOfSessionNotesTellsNothingOfTheLoginHalf() {
        DataProviderClient client = federation
                .newDataProvider()
                .mapper(SESSION_NOTE, sessionNote("AUTH_TIME", "when"))
                .mapper(SESSION_NOTE, sessionNote("checktoken.amr.methods", "how"))
                .create();
        try (TokenSource source = new TokenSource(federation)) {
            String token = source.serviceProvider().signIn("camille", "openid").accessToken();
            for (String each : List.of(token, source.exchanged(token))) {
                Map<String, Object> answer = client.check(each).introspection();
                assertTrue(answer.containsKey("when"), answer::toString);
                assertFalse(answer.containsKey("how"), answer::toString);
            }
        }
    }

    private static Map<String, String> sessionNote(String note, String claim) {
        return Map.of(
                "user.session.note",
                note,
                "claim.name",
                claim,
                "jsonType.label",
                "String",
                "introspection.token.claim",
                "true");
    }

    @Test
    void deletedScopeIsNoLongerRegistered() {
        String scope = clientScope(HARDCODED, hardcoded("detail", "yes"));
        String id = admin.clientScope(scope);
        admin.put(admin.client("sp-town") + "/optional-client-scopes/" + id, null);
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .optionalScopes(scope)
                .telling("detail")
                .create();
        Tokens tokens = signIn("openid " + scope);
        assertEquals(scope, introspect(dataProvider, tokens).get("scope"));
        admin.delete("/client-scopes/" + id);
        assertEquals("", introspect(dataProvider, tokens).get("scope"));
    }

    @Test
    void failingMapperIsAServerErrorWithAnEvent() {
        // Without its settings, this mapper of Keycloak throws a NullPointerException.
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .mapper("oidc-role-name-mapper", Map.of())
                .create();
        HttpResponse<String> response = dataProvider.post(signIn("openid").accessToken());

        assertEquals(500, response.statusCode());
        assertEquals("server_error", Http.json(response.body()).get("error").asText());
        assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control"));
        JsonNode events = admin.get("/events?client=" + dataProvider.clientId());
        assertEquals(1, events.size());
        assertEquals("token_introspection_failed", events.get(0).get("error").asText());
    }

    @Test
    void serviceProvidersMappersDoNotDecide() {
        String models = admin.client("sp-town") + "/protocol-mappers/models";
        String id = admin.create(
                models,
                Map.of(
                        "name",
                        "intruder",
                        "protocol",
                        "openid-connect",
                        "protocolMapper",
                        HARDCODED,
                        "config",
                        hardcoded("intruder", "yes")));
        try {
            assertFalse(introspect(federation.tax(), signIn("openid")).containsKey("intruder"));
        } finally {
            admin.delete(models + "/" + id);
        }
    }

    @Test
    void emptyIdentityValuesAreLeftOut() {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .mapper(HARDCODED, hardcoded("blank", " "))
                .mapper(HARDCODED, hardcodedJson("list", "[]"))
                .create();
        Map<String, Object> introspection = introspect(dataProvider, signIn("openid"));
        assertFalse(introspection.containsKey("blank"));
        assertFalse(introspection.containsKey("list"));
    }

    @Test
    void emptyValuesInsideAClaimAreLeftOutAndTheClaimWithoutAnother() {
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .mapper(
                        HARDCODED,
                        hardcodedJson(
                                "address",
                                "{\"locality\":\"Lyon\",\"region\":\" \",\"lines\":[\"\",{\"floor\":null},\"12 rue\"],\"floor\":0}"))
                .mapper(HARDCODED, hardcodedJson("unknown", "{\"region\":\"\",\"lines\":[[],{\"floor\":[\" \"]}]}"))
                .create();
        Map<String, Object> introspection = introspect(dataProvider, signIn("openid"));
        assertEquals(Map.of("locality", "Lyon", "lines", List.of("12 rue"), "floor", 0L), introspection.get("address"));
        assertFalse(introspection.containsKey("unknown"));
    }

    @Test
    void dataProviderMapperOfADefaultScopeCountsAndTheOwnOneWins() {
        String scope = clientScope("oidc-data-provider-mapper", Map.of("introspection.signed.response.alg", "ES256"));
        String id = admin.clientScope(scope);
        try {
            String token = signIn("openid").accessToken();
            DataProviderClient inherited = federation
                    .newDataProvider()
                    .withoutOwnMapper()
                    .defaultScopes("identity", scope)
                    .create();
            assertEquals(
                    "ES256", inherited.check(token).signature().getAlgorithm().getName());
            DataProviderClient own = federation
                    .newDataProvider()
                    .defaultScopes("identity", scope)
                    .create();
            assertEquals("RS256", own.check(token).signature().getAlgorithm().getName());
            DataProviderClient optional = federation
                    .newDataProvider()
                    .withoutOwnMapper()
                    .optionalScopes(scope)
                    .create();
            assertEquals(403, optional.post(token).statusCode());
        } finally {
            admin.delete("/client-scopes/" + id);
        }
    }

    @Test
    void acrOfALightweightTokenIsAnswered() {
        String client = admin.client("sp-town");
        admin.update(
                client,
                it -> ((ObjectNode) it.get("attributes")).put("client.use.lightweight.access.token.enabled", "true"));
        try {
            Tokens tokens = signIn("openid tax_income");
            assertEquals("eidas1", tokens.accessClaims().path("acr").asText());
            Map<String, Object> introspection = introspect(federation.tax(), tokens);
            assertEquals("eidas1", introspection.get("acr"));
            assertEquals("tax_income", introspection.get("scope"));
            assertEquals("Moreau", introspection.get("family_name"));
        } finally {
            admin.update(
                    client,
                    it -> ((ObjectNode) it.get("attributes"))
                            .put("client.use.lightweight.access.token.enabled", "false"));
        }
    }

    @Test
    void tokenWithoutASessionIsActive() {
        String clientId = "sp-" + UUID.randomUUID();
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        "demo-secret",
                        "serviceAccountsEnabled",
                        true,
                        "defaultClientScopes",
                        List.of("basic", "acr"),
                        "optionalClientScopes",
                        List.of("tax_income")));
        Tokens tokens = new ServiceProvider(federation.server(), federation.realm(), clientId, "demo-secret", "")
                .token(Map.of("grant_type", "client_credentials", "scope", "tax_income"));

        Map<String, Object> introspection = introspect(federation.tax(), tokens);

        assertEquals(true, introspection.get("active"));
        assertEquals(clientId, introspection.get("client_id"));
        assertEquals("tax_income", introspection.get("scope"));
        assertFalse(introspection.containsKey("given_name"));
    }

    @Test
    void eventNamesTheTokenItsClientAndTheScopesThatLeft() {
        Tokens tokens = signIn("openid tax_income health_rights");
        introspect(federation.tax(), tokens);

        JsonNode event =
                admin.get("/events?type=INTROSPECT_TOKEN&client=dp-tax&max=1").get(0);
        assertEquals("dp-tax", event.get("clientId").asText());
        JsonNode details = event.get("details");
        assertEquals(
                tokens.accessClaims().get("jti").asText(),
                details.get("token_id").asText());
        assertEquals("sp-town", details.get("token_issued_for").asText());
        assertEquals("tax_income", details.get("scope").asText());
        assertFalse(event.toString().contains("Moreau"));
        assertTrue(event.path("error").isMissingNode() || event.path("error").isNull());
    }

    @Test
    void eventOfAnAnswerWithoutScopesHasNoScope() {
        introspect(federation.tax(), signIn("openid health_rights"));

        JsonNode details =
                admin.get("/events?type=INTROSPECT_TOKEN&client=dp-tax&max=1").at("/0/details");
        assertEquals("sp-town", details.path("token_issued_for").asText());
        assertFalse(details.has("scope"), details::toString);
    }

    /** A client scope with role mappings counts only for people who have one of the roles. */
    @Test
    void identityOfAScopeWithARoleIsOnlyThatOfPeopleWithTheRole() {
        String scope = clientScope(HARDCODED, hardcoded("detail", "yes"));
        String role = "role-" + scope;
        admin.post("/roles", Map.of("name", role));
        Object json = List.of(admin.get("/roles/" + role));
        admin.post("/client-scopes/" + admin.clientScope(scope) + "/scope-mappings/realm", json);
        DataProviderClient dataProvider = federation
                .newDataProvider()
                .defaultScopes(scope)
                .telling("detail")
                .create();
        Tokens tokens = signIn("openid");
        assertFalse(introspect(dataProvider, tokens).containsKey("detail"));

        admin.post("/users/" + userId() + "/role-mappings/realm", json);
        try {
            assertEquals("yes", introspect(dataProvider, tokens).get("detail"));
        } finally {
            admin.delete("/roles/" + role);
        }
    }

    /** Keycloak runs the mappers of the service provider, and so those of a data provider's scope that it has. */
    @Test
    void keycloaksOwnIntrospectionRunsTheMappersOfAScopeThatTheServiceProviderHas() {
        String scope = clientScope(HARDCODED, hardcoded("detail", "yes"));
        String id = admin.clientScope(scope);
        DataProviderClient audience = federation.newDataProvider().create();
        String models = admin.client("sp-town") + "/protocol-mappers/models";
        admin.put(admin.client("sp-town") + "/optional-client-scopes/" + id, null);
        String mapper = admin.create(
                models,
                NewDataProvider.mapperJson(
                        "audience",
                        "oidc-audience-mapper",
                        Map.of(
                                "included.custom.audience", audience.clientId(),
                                "access.token.claim", "true",
                                "introspection.token.claim", "true")));
        try {
            String token = signIn("openid " + scope).accessToken();
            assertEquals(
                    "yes",
                    introspectedByKeycloak(audience, token).path("detail").asText());
            if (!System.getProperty("keycloak.version").startsWith("26.5.")) {
                assertFalse(introspectedByKeycloak(federation.newDataProvider().create(), token)
                        .path("active")
                        .asBoolean());
            }
        } finally {
            admin.delete(models + "/" + mapper);
            admin.delete("/client-scopes/" + id);
        }
    }

    private JsonNode introspectedByKeycloak(DataProviderClient caller, String token) {
        return Http.json(serviceProvider(caller)
                .post("/protocol/openid-connect/token/introspect", Map.of("token", token))
                .body());
    }

    /** Saves the data provider's only mapper with this salt, as the Admin Console does. */
    private void saveSalt(DataProviderClient dataProvider, String salt) {
        String models = admin.client(dataProvider.clientId()) + "/protocol-mappers/models";
        JsonNode mapper = admin.get(models).get(0);
        ((ObjectNode) mapper.get("config")).put("pairwiseSubAlgorithmSalt", salt);
        admin.put(models + "/" + mapper.get("id").asText(), mapper);
    }

    /** @return the name of a new client scope that has one mapper */
    private String clientScope(String mapper, Map<String, String> config) {
        String name = "scope-" + UUID.randomUUID();
        admin.create(
                "/client-scopes",
                Map.of(
                        "name",
                        name,
                        "protocol",
                        "openid-connect",
                        "protocolMappers",
                        List.of(NewDataProvider.mapperJson("mapper", mapper, config))));
        return name;
    }

    private Tokens signIn(String scope) {
        return federation.town().signIn("camille", scope);
    }

    private static Map<String, Object> introspect(DataProviderClient dataProvider, Tokens tokens) {
        return dataProvider.check(tokens.accessToken()).introspection();
    }

    private ServiceProvider serviceProvider(DataProviderClient client) {
        return new ServiceProvider(
                federation.server(),
                federation.realm(),
                client.clientId(),
                client.secret(),
                "https://dp.example.org/callback");
    }

    private String userId() {
        return admin.user("camille").substring("/users/".length());
    }

    private static Map<String, String> hardcoded(String claim, String value) {
        return Map.of(
                "claim.name", claim,
                "claim.value", value,
                "jsonType.label", "String",
                "access.token.claim", "true",
                "introspection.token.claim", "true");
    }

    private static Map<String, String> hardcodedJson(String claim, String json) {
        return Map.of(
                "claim.name",
                claim,
                "claim.value",
                json,
                "jsonType.label",
                "JSON",
                "introspection.token.claim",
                "true");
    }
}
