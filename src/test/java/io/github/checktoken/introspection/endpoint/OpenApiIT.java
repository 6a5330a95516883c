package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares {@code docs/openapi.yaml} with real responses: each status of each path, and the decrypted answers. */
@ExtendWith(KeycloakExtension.class)
class OpenApiIT {

    private static final List<String> CHECK_TOKEN =
            List.of("/realms/{realm}/api/v2/checktoken", "/realms/{realm}/checktoken");

    private static final List<String> METADATA = List.of(
            "/realms/{realm}/api/v2/.well-known/openid-configuration",
            "/realms/{realm}/api/v2/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/realms/{realm}/api/v2");

    /** The paths for administrators, each with a query that it answers. */
    private static final Map<String, String> ADMINISTRATION = Map.of(
            "/checktoken/data-providers", "?",
            "/checktoken/data-provider", "?clientId=dp-tax",
            "/checktoken/federation", "?",
            "/checktoken/guard", "?");

    private static final String CREDENTIALS = "client_id=dp-tax&client_secret=dp-tax-demo-secret";
    private static final String NO_REALM = "no-such-realm";

    private final OpenApiDocument document = new OpenApiDocument();
    private final Federation federation;
    private final AdminApi admin;

    OpenApiIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    /** @param operation the method and the path as in the document */
    private record Call(String operation, int status, Supplier<HttpResponse<String>> send) {

        @Override
        public String toString() {
            return operation + " " + status;
        }
    }

    @TestFactory
    Stream<DynamicTest> responsesAreAsDocumented() {
        return calls().map(call -> DynamicTest.dynamicTest(call.toString(), () -> {
            HttpResponse<String> response = call.send().get();
            assertEquals(call.status(), response.statusCode(), response::body);
            assertEquals(List.of(), document.problems(call.operation(), response));
        }));
    }

    /** Only a server whose database is away answers the remaining ones; the tests of two nodes have such a server. */
    @Test
    void eachDocumentedStatusIsTested() {
        Set<String> tested = calls().map(Call::toString).collect(Collectors.toCollection(TreeSet::new));
        Stream.concat(METADATA.stream(), ADMINISTRATION.keySet().stream().map(OpenApiIT::documented))
                .forEach(path -> tested.add("GET " + path + " 503"));
        assertEquals(document.responses(), tested);
    }

    @Test
    void decryptedAnswerIsAsDocumented() {
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        Answer active = federation.tax().check(token);
        assertTrue(active.active());
        assertDocumented(active);
        assertDocumented(federation.health().check(token));
    }

    @Test
    void decryptedAnswerAboutAnInactiveTokenIsAsDocumented() {
        assertDocumented(federation.tax().check("unknown"));
    }

    @Test
    void decryptedAnswerAboutABoundTokenIsAsDocumented() {
        Answer bound = federation
                .tax()
                .check(federation
                        .town()
                        .provingPossession()
                        .signIn("awa", Federation.ALL_SCOPES)
                        .accessToken());
        assertTrue(bound.introspection().containsKey("cnf"));
        assertDocumented(bound);
    }

    /** Clients may ignore members that they do not know, so the schemas allow them. The document names each one. */
    @Test
    void eachMemberOfMetadataAndAdministratorsViewIsDocumented() {
        JsonNode metadata = Http.json(get(METADATA.get(0), federation.realm()));
        assertEquals(document.properties("Metadata"), members(metadata));

        federation.newDataProvider().with("attributes", Map.of()).create();
        federation.newDataProvider().jwksUrl("http://127.0.0.1:1/jwks.json").create();
        federation
                .newDataProvider()
                .jwks(JwksServer.json(federation.tax().privateKey()).replace("\"kty\"", "\"iat\":1700000000,\"kty\""))
                .create()
                .check("any-token");
        Set<String> statusMembers = new TreeSet<>();
        Set<String> keyMembers = new TreeSet<>();
        for (JsonNode status : admin.dataProviders()) {
            statusMembers.addAll(members(status));
            keyMembers.addAll(members(status.path("key")));
        }
        assertEquals(document.properties("DataProviderStatus"), statusMembers);
        assertEquals(document.properties("EncryptionKeyStatus"), keyMembers);

        Set<String> guardMembers = members(admin.get("/checktoken/guard"));
        guardMembers.add("problem");
        assertEquals(document.properties("GuardStatus"), guardMembers);
    }

    private Stream<Call> calls() {
        Stream<Call> introspection = CHECK_TOKEN.stream().flatMap(this::callsOfCheckToken);
        Stream<Call> metadata = METADATA.stream()
                .flatMap(path -> Stream.of(
                        new Call("GET " + path, 200, () -> get(path, federation.realm())),
                        new Call("GET " + path, 404, () -> get(path, NO_REALM))));
        return Stream.of(introspection, metadata, callsOfAdministrators()).flatMap(calls -> calls);
    }

    private Stream<Call> callsOfCheckToken(String path) {
        String operation = "POST " + path;
        String url = url(path, federation.realm());
        return Stream.of(
                new Call(operation, 200, () -> post(path, CREDENTIALS + "&token=t")),
                new Call(operation, 400, () -> post(path, CREDENTIALS)),
                new Call(operation, 401, () -> post(path, "client_id=dp-tax&client_secret=wrong&token=t")),
                new Call(
                        operation,
                        403,
                        () -> post(path, "client_id=sp-bank&client_secret=sp-bank-demo-secret&token=t")),
                new Call(operation, 404, () -> Http.send(Http.form(url(path, NO_REALM), CREDENTIALS + "&token=t"))),
                new Call(operation, 405, () -> Http.send(Http.request(url))),
                new Call(operation, 413, () -> post(path, CREDENTIALS + "&token=" + "t".repeat(140_000))),
                new Call(
                        operation,
                        415,
                        () -> Http.send(Http.request(url)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{}")))),
                new Call(
                        operation,
                        500,
                        () -> as(
                                path,
                                federation
                                        .newDataProvider()
                                        .encryptedWith("RSA1_5")
                                        .create())),
                new Call(
                        operation,
                        503,
                        () -> as(
                                path,
                                federation
                                        .newDataProvider()
                                        .encryptedWith("ECDH-ES")
                                        .create())));
    }

    private Stream<Call> callsOfAdministrators() {
        return ADMINISTRATION.entrySet().stream()
                .flatMap(path -> calls(path.getKey(), path.getKey() + path.getValue()))
                // The guard has no texts, and so no language that could be unknown.
                .filter(call -> !call.toString().endsWith("/guard 400"));
    }

    private Stream<Call> calls(String path, String query) {
        String operation = "GET " + documented(path);
        return Stream.of(
                new Call(operation, 200, () -> admin.send("GET", query, null)),
                new Call(operation, 400, () -> admin.send("GET", query + "&language=de", null)),
                new Call(operation, 401, () -> get(documented(path), federation.realm())),
                new Call(operation, 403, () -> asServiceAccountWithoutRoles(documented(path))),
                new Call(operation, 404, () -> new AdminApi(federation.server(), NO_REALM).send("GET", query, null)));
    }

    private static String documented(String path) {
        return "/admin/realms/{realm}" + path;
    }

    private HttpResponse<String> asServiceAccountWithoutRoles(String path) {
        DataProviderClient client = federation
                .newDataProvider()
                .with("serviceAccountsEnabled", true)
                .create();
        String token = new ServiceProvider(
                        federation.server(), federation.realm(), client.clientId(), client.secret(), "")
                .token(Map.of("grant_type", "client_credentials"))
                .accessToken();
        HttpRequest.Builder request = Http.request(url(path, federation.realm()));
        return Http.send(request.header("Authorization", "Bearer " + token));
    }

    private HttpResponse<String> as(String path, DataProviderClient client) {
        Map<String, String> form =
                Map.of("client_id", client.clientId(), "client_secret", client.secret(), "token", "t");
        return Http.send(Http.form(url(path, federation.realm()), form));
    }

    private HttpResponse<String> post(String path, String body) {
        return Http.send(Http.form(url(path, federation.realm()), body));
    }

    private HttpResponse<String> get(String path, String realm) {
        return Http.send(Http.request(url(path, realm)));
    }

    private String url(String path, String realm) {
        return federation.server().baseUrl() + path.replace("{realm}", realm);
    }

    private void assertDocumented(Answer answer) {
        assertDocumented("EncryptionHeader", answer.encryption().toJSONObject());
        assertDocumented("SignatureHeader", answer.signature().toJSONObject());
        assertDocumented("AnswerPayload", answer.payload());
    }

    private void assertDocumented(String schema, Map<String, Object> value) {
        assertEquals(
                List.of(), document.problems(Http.JSON.valueToTree(value), "#/components/schemas/" + schema), schema);
    }

    private static Set<String> members(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
