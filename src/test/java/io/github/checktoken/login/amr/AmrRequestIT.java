package io.github.checktoken.login.amr;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.util.Base64URL;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests which requests get amr, in which ways a request can ask for it, and which tokens and answers never have it. */
@ExtendWith(KeycloakExtension.class)
class AmrRequestIT {

    /** It reads the parameter twice. */
    private static final int WARNINGS_OF_KEYCLOAK = 2;

    private final Federation federation;
    private final ServiceProvider town;
    private final AdminApi admin;
    private final DemoAmrMapper mapper;

    AmrRequestIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.admin = federation.admin();
        this.mapper = new DemoAmrMapper(admin);
    }

    @AfterEach
    void restoreMapper() {
        mapper.restore();
    }

    @Test
    void essentialRequestIsAnswered() {
        assertEquals("fc pwd", signIn(town.request().askingForAmr()).amr());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id_token\":{\"amr\":{\"essential\":true,\"values\":[\"mfa\"]},\"nobody\":{\"knows\":[1]}},\"x\":7}",
                "{\"userinfo\":{\"amr\":null},\"id_token\":{\"acr\":null,\"amr\":{\"essential\":true}}}"
            })
    void membersThatNobodyKnowsDoNoHarm(String claims) {
        assertEquals("fc pwd", signIn(town.request().with("claims", claims)).amr());
    }

    @Test
    void requestThatDoesNotAskIsNotAnswered() {
        assertNull(signIn(town.request()).amr());
    }

    static Stream<String> questionsThatAreNone() {
        return Stream.of(
                "{\"id_token\":{\"amr\":{\"essential\":false}}}",
                "{\"id_token\":{\"amr\":{\"essential\":\"true\"}}}",
                "{\"id_token\":{\"amr\":{\"essential\":1}}}",
                "{\"id_token\":{\"amr\":{\"essential\":null}}}",
                "{\"id_token\":{\"amr\":{\"essential\":true,\"essential\":false}}}",
                "{\"id_token\":{\"amr\":{}}}",
                "{\"id_token\":{\"amr\":null}}",
                "{\"id_token\":{\"amr\":true}}",
                "{\"id_token\":{\"amr\":\"essential\"}}",
                "{\"id_token\":{\"amr\":[{\"essential\":true}]}}",
                "{\"id_token\":[{\"amr\":{\"essential\":true}}]}",
                "{\"id_token\":{\"AMR\":{\"essential\":true}}}",
                "{\"userinfo\":{\"amr\":{\"essential\":true}}}",
                "{\"amr\":{\"essential\":true}}",
                "[" + AuthorizationRequest.AMR + "]",
                AuthorizationRequest.AMR + " {}",
                "{\"id_token\":{\"amr\":{\"essential\":true}}",
                "{'id_token':{'amr':{'essential':true}}}",
                "\"\"",
                "null",
                "essential",
                "",
                "[".repeat(2_000),
                "{\"id_token\":".repeat(400) + AuthorizationRequest.AMR + "}".repeat(400));
    }

    @Test
    void claimsThatCannotBeReadAreWarnedOfByKeycloakAlone() throws IOException {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's log");
        signIn(town.request().with("claims", "no-json-in-claims"));

        try (Stream<String> lines = Files.lines(federation.server().log())) {
            assertEquals(
                    WARNINGS_OF_KEYCLOAK,
                    lines.filter(line -> line.contains("Exception: Unrecognized token 'no'"))
                            .count());
        }
    }

    @ParameterizedTest
    @MethodSource("questionsThatAreNone")
    void strangeQuestionIsNotAnsweredAndBreaksNoLogin(String claims) {
        assertNull(signIn(town.request().with("claims", claims)).amr());
    }

    /** The request is pushed, because Keycloak drops a parameter of this size from a query. */
    @Test
    void questionOf64KilobytesBreaksNoLogin() {
        String claims = "{\"id_token\":{\"amr\":{\"essential\":true},\"x\":\"" + "y".repeat(64_000) + "\"}}";
        assertNull(signIn(pushed(town.request().with("claims", claims).parameters()))
                .amr());
    }

    /** Keycloak drops a longer parameter, wherever it comes from. */
    @ParameterizedTest
    @CsvSource({"4000, fc pwd", "4001, "})
    void questionMayHave4000Characters(int length, String amr) {
        int rest = length - "{\"id_token\":{\"amr\":{\"essential\":true},\"x\":\"\"}}".length();
        ObjectNode claims = claims(true);
        claims.withObject("/id_token").put("x", "y".repeat(rest));
        assertEquals(length, claims.toString().length());
        AuthorizationRequest request = town.request().with("claims", claims.toString());

        assertEquals(amr, signIn(request).amr(), "in the query");
        assertEquals(amr, signIn(pushed(request.parameters())).amr(), "pushed");
        assertEquals(amr, signIn(withRequestObject("request", claims)).amr(), "in a request object");
    }

    @Test
    void pushedRequestAsks() {
        assertEquals(
                "fc pwd",
                signIn(pushed(town.request().askingForAmr().parameters())).amr());
    }

    @Test
    void requestObjectAsks() {
        assertEquals(
                "fc pwd", signIn(withRequestObject("request", claims(true))).amr());
    }

    @Test
    void requestObjectThatDoesNotAskIsNotAnswered() {
        assertNull(signIn(withRequestObject("request", claims(false))).amr());
    }

    @Test
    void pushedRequestObjectAsks() {
        Map<String, String> request = withRequestObject("request", claims(true)).parameters();
        assertEquals("fc pwd", signIn(pushed(request)).amr());
    }

    @Test
    void requestObjectThatKeycloakFetchesAsks() throws IOException {
        AuthorizationRequest request = withRequestObject("request", claims(true));
        byte[] object = request.parameters().get("request").getBytes(StandardCharsets.US_ASCII);
        HttpServer client = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        client.createContext("/request", exchange -> {
            exchange.sendResponseHeaders(200, object.length);
            exchange.getResponseBody().write(object);
            exchange.close();
        });
        client.start();
        String uri = "http://"
                + federation.server().addressOfThisHost(client.getAddress().getPort()) + "/request";
        withRequestUris(uri);
        try {
            assertEquals(
                    "fc pwd",
                    signIn(town.request().without("nonce").with("request_uri", uri))
                            .amr());
        } finally {
            withRequestUris("");
            client.stop(0);
        }
    }

    @Test
    void anotherClientThatAskedGetsNothingForThisOne() {
        Browser browser = new Browser(federation.server());
        ServiceProvider bank = federation.bank();
        assertEquals(
                "fc pwd",
                bank.signIn(browser, "camille", bank.request().askingForAmr()).amr());
        assertNull(town.signIn(browser, "camille", town.request()).amr());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id_token\":{\"amr\":null}}",
                "{\"id_token\":{\"amr\":{\"essential\":false}}}",
                "{\"id_token\":{\"amr\":{}}}",
                AuthorizationRequest.AMR
            })
    void voluntarySwitchAnswersAllThatAsk(String claims) {
        mapper.with("amr.release.voluntary", "true");
        assertEquals("fc pwd", signIn(town.request().with("claims", claims)).amr());
    }

    @Test
    void voluntarySwitchAnswersNoneThatDoesNotAsk() {
        mapper.with("amr.release.voluntary", "true");
        assertNull(signIn(town.request()).amr());
        assertNull(signIn(town.request().with("claims", "{\"userinfo\":{\"amr\":null}}"))
                .amr());
    }

    @Test
    void valueThatIsNotReleasedStaysHere() {
        mapper.with("amr.released.values", "pop##mfa");
        assertEquals("fc", signIn(town.request().askingForAmr()).amr());
    }

    @Test
    void emptyArrayIsNotSent() {
        mapper.with("amr.released.values", "pop##mfa").with("amr.constant.values", "");
        assertNull(signIn(town.request().askingForAmr()).amr());
    }

    @Test
    void valuesAreDistinctAndInTheOrderOfTheSettings() {
        mapper.with("amr.released.values", "mfa##pwd##x##pwd").with("amr.constant.values", "x##fc##x");
        assertEquals("x fc pwd", signIn(town.request().askingForAmr()).amr());
    }

    /** Keycloak saves a mapper inside a client's JSON without checking it. */
    @Test
    void constantThatNamesAMethodIsNeverSent() {
        String redirectUri = "http://localhost:8999/unchecked";
        ObjectNode unchecked = mapper.original().deepCopy();
        unchecked.remove("id");
        unchecked.putObject("config").put("amr.constant.values", "mfa##fc##pop");
        String id = admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        "sp-unchecked",
                        "secret",
                        "sp-unchecked-secret",
                        "redirectUris",
                        List.of(redirectUri),
                        "defaultClientScopes",
                        List.of("basic", "acr"),
                        "protocolMappers",
                        List.of(unchecked)));
        try {
            ServiceProvider client = new ServiceProvider(
                    federation.server(), federation.realm(), "sp-unchecked", "sp-unchecked-secret", redirectUri);
            Browser browser = new Browser(federation.server());
            assertEquals(
                    "fc pwd",
                    client.signIn(browser, "camille", client.request().askingForAmr())
                            .amr());
        } finally {
            admin.delete("/clients/" + id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mfa", "pop", "mail", "two words", "é"})
    void constantThatItMustNotHaveIsRefusedOnSave(String value) {
        ObjectNode config = Http.JSON.createObjectNode().put("amr.constant.values", "fc##" + value);
        assertRefused(config, "“" + value + "” cannot be a constant value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "é", "65"})
    void releasedValueThatIsNoWordIsRefusedOnSave(String value) {
        String word = value.equals("65") ? "x".repeat(65) : value;
        ObjectNode config = Http.JSON.createObjectNode().put("amr.released.values", "pwd##" + word);
        assertRefused(config, "“" + word + "” cannot be a released value");
    }

    @Test
    void amrStandsInNoOtherToken() {
        Tokens tokens = signIn(town.request().askingForAmr());
        assertEquals("fc pwd", tokens.amr());
        assertFalse(tokens.accessClaims().has("amr"));
        assertFalse(Tokens.claims(tokens.refreshToken()).has("amr"));
        assertFalse(Http.json(Http.send(Http.request(federation.url() + "/protocol/openid-connect/userinfo")
                        .header("Authorization", "Bearer " + tokens.accessToken())))
                .has("amr"));
        Map<String, Object> answer =
                federation.tax().check(tokens.accessToken()).introspection();
        assertEquals("eidas1", answer.get("acr"));
        assertFalse(answer.containsKey("amr"));
    }

    /** Keycloak's introspection answers a client that is in the token's audience, so a mapper adds sp-town to it. */
    @Test
    void amrStandsNotInKeycloaksOwnIntrospection() {
        String mappers = admin.client("sp-town") + "/protocol-mappers/models";
        String id = admin.create(
                mappers,
                Map.of(
                        "name",
                        "audience",
                        "protocol",
                        "openid-connect",
                        "protocolMapper",
                        "oidc-audience-mapper",
                        "config",
                        Map.of("included.client.audience", "sp-town", "access.token.claim", "true")));
        try {
            String token = signIn(town.request().askingForAmr()).accessToken();
            JsonNode introspection =
                    Http.json(town.post("/protocol/openid-connect/token/introspect", Map.of("token", token)));
            assertTrue(introspection.get("active").asBoolean());
            assertFalse(introspection.has("amr"));
        } finally {
            admin.delete(mappers + "/" + id);
        }
    }

    private void withRequestUris(String uris) {
        admin.update(
                admin.client("sp-town"), client -> ((ObjectNode) client.get("attributes")).put("request.uris", uris));
    }

    private Tokens signIn(AuthorizationRequest request) {
        Tokens tokens = town.signIn(new Browser(federation.server()), "camille", request);
        assertEquals("eidas1", tokens.acr());
        return tokens;
    }

    private AuthorizationRequest pushed(Map<String, String> request) {
        JsonNode response = Http.json(town.post("/protocol/openid-connect/ext/par/request", request));
        AuthorizationRequest pushed = town.request();
        request.keySet().stream().filter(name -> !name.equals("client_id")).forEach(pushed::without);
        pushed.without("nonce").without("state");
        return pushed.with("request_uri", response.get("request_uri").asText());
    }

    private static ObjectNode claims(boolean asking) {
        ObjectNode claims = Http.JSON.createObjectNode();
        claims.putObject("id_token").putObject("amr").put("essential", asking);
        return claims;
    }

    private AuthorizationRequest withRequestObject(String parameter, ObjectNode claims) {
        AuthorizationRequest request = town.request();
        ObjectNode object = Http.JSON.createObjectNode();
        request.parameters().forEach(object::put);
        object.set("claims", claims);
        String unsigned = Base64URL.encode("{\"alg\":\"none\"}") + "." + Base64URL.encode(object.toString()) + ".";
        return request.with(parameter, unsigned);
    }

    private void assertRefused(ObjectNode config, String words) {
        ObjectNode changed = mapper.original().deepCopy();
        changed.set("config", config);
        HttpResponse<String> response = admin.send("PUT", mapper.path(), changed);
        assertEquals(400, response.statusCode());
        assertTrue(Http.json(response.body()).get("error_description").asText().contains(words), response.body());
    }
}
