package io.github.checktoken.introspection.admin;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests what administrators see of the data providers: {@code GET /admin/realms/{realm}/checktoken/data-providers}. */
@ExtendWith(KeycloakExtension.class)
class DataProvidersAdminIT {

    private final Federation federation;
    private final AdminApi admin;

    DataProvidersAdminIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @Test
    void answersAreCountedByReason() {
        DataProviderClient client = federation.newDataProvider().create();
        assertEquals(Http.json("{}"), status(client.clientId()).path("answers"));

        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        client.check(token);
        client.check(token);
        client.check("any-token");
        admin.update(admin.user("camille"), user -> user.put("enabled", false));
        try {
            client.check(token);
        } finally {
            admin.update(admin.user("camille"), user -> user.put("enabled", true));
        }

        assertEquals(
                Http.json("{\"active\":2,\"invalid_token: Not an access token\":1,\"user_disabled\":1}"),
                status(client.clientId()).path("answers"));
    }

    @Test
    void answersThatCouldNotBeMadeAreCountedAndWrongSecretsAreNot() {
        DataProviderClient client =
                federation.newDataProvider().encryptedWith("ECDH-ES").create();
        client.post("any-token");
        new DataProviderClient(federation.url(), client.clientId(), "wrong", client.privateKey()).post("any-token");

        assertEquals(
                Http.json("{\"token_introspection_failed: no usable encryption key for ECDH-ES\":1}"),
                status(client.clientId()).path("answers"));
    }

    @Test
    void demoDataProviderIsAsItIsSetUp() {
        assertEquals(
                Http.json("""
                        {
                          "clientId": "dp-tax",
                          "name": "Demo tax office",
                          "enabled": true,
                          "scopes": ["tax_household", "tax_income"],
                          "introspectionSignedResponseAlg": "ES256",
                          "introspectionEncryptedResponseAlg": "RSA-OAEP-256",
                          "introspectionEncryptedResponseEnc": "A256GCM",
                          "identityRequiresScope": false,
                          "authTimeDisclosed": false,
                          "key": {"source": "JWKS", "usable": true, "kid": "%s"},
                          "problemNames": ["smallKey", "shortSecret"],
                          "problems": [],
                          "warnings": [
                            "The RSA key has only 2048 bits. Ask the data provider for one of at least 3072 bits.",
                            "The client secret has fewer than 22 characters. Regenerate it on the tab Credentials, and give it to the data provider."
                          ]
                        }
                        """.formatted(
                                federation.tax().check("any-token").encryption().getKeyID())),
                withoutTimes(status("dp-tax")).without(List.of("answers", "lastHour")));
    }

    @Test
    void whatADataProviderLearnsByItsSettingsIsShown() {
        DataProviderClient client = federation
                .newDataProvider()
                .setting("identity.requires.scope", "true")
                .setting("auth.time.disclosed", "true")
                .create();

        JsonNode status = status(client.clientId());
        assertTrue(status.path("identityRequiresScope").asBoolean());
        assertTrue(status.path("authTimeDisclosed").asBoolean());
    }

    @Test
    void clientsThatAreNoDataProvidersAreLeftOut() {
        assertTrue(all().stream()
                .noneMatch(status -> status.path("clientId").asText().startsWith("sp-")));
    }

    @Test
    void firstAndMaxGiveAPage() {
        List<String> names =
                all().stream().map(status -> status.path("clientId").asText()).toList();
        assertEquals(names.stream().sorted().toList(), names);
        JsonNode page = admin.get("/checktoken/data-providers?first=1&max=1");
        assertEquals(1, page.size());
        assertEquals(names.get(1), page.get(0).path("clientId").asText());
    }

    @Test
    void addressOfTheKeysAndTheirStateAreShown() throws JOSEException {
        RSAKey key = new RSAKeyGenerator(2048).keyID("2026").generate();
        try (JwksServer host = new JwksServer(federation.server(), key)) {
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            assertEquals(
                    Http.json("{\"source\":\"JWKS_URL\",\"jwksUrl\":\"" + host.url()
                            + "\",\"usable\":true,\"kid\":\"2026\"}"),
                    withoutTimes(status(client.clientId())).path("key"));
            assertEquals(List.of(), problems(client));
        }
    }

    @Test
    void hostThatFailsIsAProblemThatSaysWhy() {
        try (JwksServer host = new JwksServer(federation.server())) {
            host.behave(JwksServer.body(500, "text/plain", "down"));
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();

            assertFalse(status(client.clientId()).path("key").path("usable").asBoolean());
            assertProblem(client, "RSA-OAEP-256", "503", "status 500");
        }
    }

    @Test
    void hostThatRefusesConnectionsIsAProblemInWords() {
        // A port of the server itself. In a container, the tunnel to a port of this machine accepts every connection.
        DataProviderClient client = federation
                .newDataProvider()
                .jwksUrl("http://127.0.0.1:1/jwks.json")
                .create();

        assertProblem(client, "Last attempt: the host cannot be reached or refuses the connection.");
    }

    @Test
    void manyHostsThatHangHoldTheAnswerUpForThreeSecondsInAll() {
        try (JwksServer host = new JwksServer(federation.server())) {
            host.behave(JwksServer.silence());
            List<DataProviderClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(federation
                        .newDataProvider()
                        .jwksUrl(host.url() + "?" + i)
                        .create());
            }

            long start = System.nanoTime();
            List<JsonNode> all = all();
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertTrue(took.compareTo(Duration.ofSeconds(6)) < 0, "took " + took.toMillis() + " ms");
            for (DataProviderClient client : clients) {
                JsonNode status = all.stream()
                        .filter(one -> one.path("clientId").asText().equals(client.clientId()))
                        .findFirst()
                        .orElseThrow();
                String problems = status.path("problems").toString();
                assertTrue(problems.contains("still being loaded") || problems.contains("no answer within"), problems);
            }
            clients.forEach(client -> admin.delete(admin.client(client.clientId())));
        }
    }

    @Test
    void keyThatDoesNotFitIsAProblem() {
        assertProblem(
                federation.newDataProvider().encryptedWith("ECDH-ES").create(),
                "ECDH-ES",
                "no key in the set fits (1: kty)");
    }

    @Test
    void noKeyIsAProblem() {
        DataProviderClient client =
                federation.newDataProvider().with("attributes", Map.of()).create();
        assertEquals(
                "NONE", status(client.clientId()).path("key").path("source").asText());
        assertProblem(client, "JWKS URL");
    }

    @Test
    void signatureWithoutARealmKeyIsAProblem() {
        assertProblem(federation.newDataProvider().signedWith("ES512").create(), "ES512", "Realm settings");
    }

    /** A second line would advise to make a key for a value that cannot be used. */
    @ParameterizedTest
    @CsvSource({
        "introspection.signed.response.alg,    none",
        "introspection.signed.response.alg,    ES256K",
        "introspection.encrypted.response.alg, RSA1_5",
        "introspection.encrypted.response.enc, A256KW"
    })
    void settingThatIsNotSupportedIsOneProblem(String setting, String value) {
        assertEquals(
                List.of("The setting " + setting + " does not support the value “" + value
                        + "”. Choose one from its list."),
                problems(federation.newDataProvider().setting(setting, value).create()));
    }

    @Test
    void eachSettingThatIsNotSupportedIsShown() {
        DataProviderClient client = federation
                .newDataProvider()
                .signedWith("none")
                .encryptedWith("RSA1_5", "A256KW")
                .create();
        assertEquals(3, problems(client).size(), () -> problems(client).toString());
        assertFalse(status(client.clientId()).path("key").path("usable").asBoolean());
    }

    @Test
    void defaultScopesThatTellMoreThanIdentityAreProblems() {
        DataProviderClient client = federation
                .newDataProvider()
                .defaultScopes("identity", "profile", "email", "address", "basic", "acr", "roles", "web-origins", "amr")
                .create();
        List<String> problems = problems(client);

        assertEquals(3, problems.size(), problems::toString);
        assertStartsWith(
                "The default client scope “address” gives this data provider more than identity data: address. ",
                problems.get(0));
        assertStartsWith(
                "The default client scope “email” gives this data provider more than identity data: email,"
                        + " email_verified. Remove it from the client",
                problems.get(1));
        assertStartsWith(
                "The default client scope “profile” gives this data provider more than identity data: locale,"
                        + " middle_name, name, nickname, picture, preferred_username, profile, updated_at, website,"
                        + " zoneinfo. ",
                problems.get(2));
    }

    @Test
    void mapperOfADefaultScopeIsAProblemOnlyIfAnswersHaveItsClaim() {
        String scope = scopeWithMappers(
                attributeMapper("nationality.code", "introspection.token.claim", "true"),
                attributeMapper("phone\\.number", "access.token.claim", "true"),
                attributeMapper("birthplace.town", "introspection.token.claim", "true"),
                attributeMapper("scope", "introspection.token.claim", "true"),
                attributeMapper("hidden", "introspection.token.claim", "false"),
                attributeMapper("mobile", "id.token.claim", "true"));

        assertProblem(
                federation.newDataProvider().defaultScopes("identity", scope).create(),
                "“" + scope + "”",
                "more than identity data: nationality, phone.number.");
    }

    /** What is given to this data provider alone, or only with a scope, is given on purpose. */
    @Test
    void optionalScopesAndMappersOfTheClientAreNoProblems() {
        DataProviderClient client = federation
                .newDataProvider()
                .optionalScopes("profile", "email")
                .mapper(
                        "oidc-usermodel-attribute-mapper",
                        Map.of(
                                "user.attribute", "email",
                                "claim.name", "email",
                                "introspection.token.claim", "true"))
                .create();
        assertEquals(List.of(), problems(client));
    }

    @Test
    void scopeOfAServiceAccountIsNoProblem() {
        DataProviderClient client = federation
                .newDataProvider()
                .defaultScopes("identity", "service_account")
                .create();
        assertEquals(List.of(), problems(client));
    }

    @Test
    void disabledClientIsAProblem() {
        assertProblem(federation.newDataProvider().with("enabled", false).create(), "disabled");
    }

    @Test
    void publicClientIsAProblem() {
        assertProblem(federation.newDataProvider().with("publicClient", true).create(), "public", "403");
    }

    @Test
    void secretAndSaltAreNotShown() {
        DataProviderClient client = federation
                .newDataProvider()
                .setting("pairwiseSubAlgorithmSalt", "salt-that-nobody-reads")
                .create();
        String text = status(client.clientId()).toString();
        assertFalse(text.contains("salt-that-nobody-reads") || text.contains(client.secret()), text);
    }

    @Test
    void needsAnAdministratorWhoMayViewDataProvidersOrClients() {
        String realm = federation.server().baseUrl() + "/admin/realms/" + federation.realm();
        String url = realm + "/checktoken/data-providers";
        assertEquals(401, Http.send(Http.request(url)).statusCode());
        assertEquals(403, asServiceAccountWith(url, "view-users").statusCode());
        assertEquals(200, asServiceAccountWith(url, "view-clients").statusCode());
        assertEquals(200, asServiceAccountWith(url, "view-data-providers").statusCode());
        // Keycloak's own list of clients has their secrets.
        assertEquals(
                403,
                asServiceAccountWith(realm + "/clients", "view-data-providers").statusCode());
    }

    /** Calls the address as a service account that has this one role of realm-management. */
    private HttpResponse<String> asServiceAccountWith(String url, String role) {
        String clientId = "operator-" + role;
        String path = "/clients/"
                + admin.create(
                        "/clients",
                        Map.of("clientId", clientId, "secret", "operator-secret", "serviceAccountsEnabled", true));
        try {
            String account =
                    admin.get(path + "/service-account-user").path("id").asText();
            String management = admin.client("realm-management");
            String managementId = management.substring("/clients/".length());
            admin.post(
                    "/users/" + account + "/role-mappings/clients/" + managementId,
                    List.of(admin.get(management + "/roles/" + role)));
            String token = new ServiceProvider(federation.server(), federation.realm(), clientId, "operator-secret", "")
                    .token(Map.of("grant_type", "client_credentials"))
                    .accessToken();
            return Http.send(Http.request(url)
                    .header("Authorization", "Bearer " + token)
                    .method("GET", BodyPublishers.noBody()));
        } finally {
            admin.delete(path);
        }
    }

    /** @return the name of a new client scope that has these mappers */
    @SafeVarargs
    private String scopeWithMappers(Map<String, Object>... mappers) {
        String name = "scope-" + UUID.randomUUID();
        admin.create(
                "/client-scopes",
                Map.of("name", name, "protocol", "openid-connect", "protocolMappers", List.of(mappers)));
        return name;
    }

    private static Map<String, Object> attributeMapper(String claim, String setting, String value) {
        return Map.of(
                "name",
                claim,
                "protocol",
                "openid-connect",
                "protocolMapper",
                "oidc-usermodel-attribute-mapper",
                "config",
                Map.of("user.attribute", "any", "claim.name", claim, setting, value));
    }

    @Test
    void whatIsWeakInARegistrationIsAWarning() throws JOSEException {
        try (JwksServer host = new JwksServer(federation.server(), new RSAKeyGenerator(2048).generate())) {
            DataProviderClient client = federation
                    .newDataProvider()
                    .jwksUrl(host.url())
                    .defaultScopes()
                    .optionalScopes("phone")
                    .create();
            admin.update(admin.client(client.clientId()), json -> {
                json.put("secret", "only-21-characters-xx")
                        .withObject("/attributes")
                        .put("client.secret.creation.time", 1);
                ((ObjectNode) json.at("/protocolMappers/0/config")).put("pairwiseSubAlgorithmSalt", "");
            });

            List<String> warnings = warnings(client);
            List<String> starts = List.of(
                    "The data provider has no scope of its own.",
                    "No client scope and no mapper gives",
                    "The mapper Data provider has no salt",
                    "The client secret has fewer than 22 characters.",
                    "The client secret is older than a year.",
                    "The JWKS URL begins with http",
                    "The RSA key has only 2048 bits.");
            starts.forEach(start -> assertEquals(
                    1, warnings.stream().filter(it -> it.startsWith(start)).count(), () -> start + warnings));
            assertEquals(starts.size(), warnings.size(), warnings::toString);
        }
    }

    private static void assertStartsWith(String start, String text) {
        assertTrue(text.startsWith(start), text);
    }

    private static ObjectNode withoutTimes(JsonNode status) {
        ((ObjectNode) status.path("key")).remove(List.of("knownSince", "lastFetch", "nextFetch"));
        return ((ObjectNode) status).without("lastAnswer");
    }

    private void assertProblem(DataProviderClient client, String... words) {
        String problems = String.join("\n", problems(client));
        for (String word : words) {
            assertTrue(problems.contains(word), problems);
        }
    }

    private List<String> problems(DataProviderClient client) {
        return texts(client, "problems");
    }

    private List<String> warnings(DataProviderClient client) {
        return texts(client, "warnings");
    }

    private List<String> texts(DataProviderClient client, String member) {
        return StreamSupport.stream(status(client.clientId()).path(member).spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private JsonNode status(String clientId) {
        return admin.dataProvider(clientId);
    }

    private List<JsonNode> all() {
        return admin.dataProviders();
    }
}
