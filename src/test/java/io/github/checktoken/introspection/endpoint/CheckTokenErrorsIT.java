package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Tests every refusal: its status, its exact JSON, that it must not be cached, and the event that says why. */
@ExtendWith(KeycloakExtension.class)
class CheckTokenErrorsIT {

    private static final String CREDENTIALS = "client_id=dp-tax&client_secret=dp-tax-demo-secret";
    private static final String MISSING = "Required parameter missing or invalid.";
    private static final String WRONG_CLIENT = "Client authentication failed.";
    private static final String NOT_A_DATA_PROVIDER = "The client is not a data provider.";

    private final Federation federation;
    private final AdminApi admin;

    CheckTokenErrorsIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                CREDENTIALS,
                CREDENTIALS + "&token=",
                CREDENTIALS + "&token=%20",
                "client_secret=dp-tax-demo-secret&token=t",
                "client_id=&client_secret=dp-tax-demo-secret&token=t",
                "client_id=dp-tax&token=t",
                "client_id=dp-tax&client_secret=&token=t",
                "token=t",
                CREDENTIALS + "&token=t&token=t",
                CREDENTIALS + "&token=t&token=",
                CREDENTIALS + "&client_id=dp-tax&token=t",
                CREDENTIALS + "&client_secret=x&token=t",
                CREDENTIALS + "&token=t&other=1&other=2",
                CREDENTIALS + "&token=%zz"
            })
    void parameterMissingEmptyRepeatedOrBroken(String body) {
        assertError(400, "invalid_request", MISSING, post(body));
    }

    @Test
    void tooManyParameters() {
        String body = IntStream.range(0, 2000).mapToObj(i -> "p" + i + "=1").collect(Collectors.joining("&"));
        assertError(400, "invalid_request", MISSING, post(body));
    }

    @Test
    void unknownClientAndWrongSecretAndDisabledClientAreTheSame() {
        String client = admin.client("dp-health");
        admin.update(client, it -> it.put("enabled", false));
        try {
            HttpResponse<String> disabled = post("client_id=dp-health&client_secret=dp-health-demo-secret&token=t");
            HttpResponse<String> unknown = post("client_id=nobody&client_secret=dp-tax-demo-secret&token=t");
            HttpResponse<String> wrong = post("client_id=dp-tax&client_secret=wrong&token=t");
            for (HttpResponse<String> response : List.of(disabled, unknown, wrong)) {
                assertError(401, "invalid_client", WRONG_CLIENT, response);
                assertEquals(unknown.body(), response.body());
                assertEquals(
                        unknown.headers().map().keySet(),
                        response.headers().map().keySet());
            }
        } finally {
            admin.update(client, it -> it.put("enabled", true));
        }
    }

    /** Keycloak's Event cuts it, because the table of events has room for 255 characters. */
    @Test
    void clientIdLongerThanAnyClientHasIsCutInTheEvent() {
        String clientId = UUID.randomUUID() + "x".repeat(400);
        assertError(
                401,
                "invalid_client",
                WRONG_CLIENT,
                post("client_id=" + clientId + "&client_secret=dp-tax-demo-secret&token=t"));
        assertEquals(
                1,
                admin.get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + clientId.substring(0, 254))
                        .size());
    }

    @Test
    void clientThatIsNoDataProviderLearnsNothingAboutTheToken() {
        String token = federation.town().signIn("camille", "openid").accessToken();
        String body = "client_id=sp-bank&client_secret=sp-bank-demo-secret&token=";

        HttpResponse<String> active = post(body + token);
        HttpResponse<String> unknown = post(body + "unknown");

        assertError(403, "unauthorized_client", NOT_A_DATA_PROVIDER, active);
        assertEquals(unknown.body(), active.body());
        assertFalse(lastError().path("details").has("token_id"), "the event must not have the id of the token either");
    }

    @Test
    void publicClientIsNoDataProviderEvenWithTheMapper() {
        String mapped =
                federation.newDataProvider().with("publicClient", true).create().clientId();
        for (String client : List.of("account-console", mapped)) {
            HttpResponse<String> response = post("client_id=" + client + "&client_secret=any&token=t");
            assertError(403, "unauthorized_client", NOT_A_DATA_PROVIDER, response);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"})
    void method(String method) {
        HttpResponse<String> response =
                Http.send(Http.request(url()).method(method, BodyPublishers.ofString("token=t")));
        assertError(405, "invalid_request", "Only POST is supported.", response);
        assertEquals("POST", response.headers().firstValue("Allow").orElse(null));
    }

    @Test
    void headHasNoBody() {
        HttpResponse<String> response = Http.send(Http.request(url()).method("HEAD", BodyPublishers.noBody()));
        assertEquals(405, response.statusCode());
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain",
                "multipart/form-data; boundary=x",
                "application/*",
                "*/*",
                "foo",
                "/",
                ";",
                "application/x-www-form-urlencoded/x",
                "APPLICATION/X-WWW-FORM-URLENCODED"
            })
    void contentType(String type) {
        HttpResponse<String> response = Http.send(Http.request(url())
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(CREDENTIALS + "&token=t")));
        assertError(415, "invalid_request", "The content type must be application/x-www-form-urlencoded.", response);
    }

    @Test
    void noContentType() {
        HttpResponse<String> response =
                Http.send(Http.request(url()).POST(BodyPublishers.ofString(CREDENTIALS + "&token=t")));
        assertEquals(415, response.statusCode());
    }

    @Test
    void contentTypeMayNameACharset() {
        HttpResponse<String> response = Http.send(Http.request(url())
                .header("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
                .POST(BodyPublishers.ofString(CREDENTIALS + "&token=t")));
        assertEquals(200, response.statusCode());
    }

    @Test
    void bodyTooLarge() {
        assertError(
                413,
                "invalid_request",
                "The request body is too large.",
                post(CREDENTIALS + "&token=" + "t".repeat(140_000)));
    }

    @Test
    void plainHttpWhereTheRealmWantsHttps() {
        admin.update("", realm -> realm.put("sslRequired", "all"));
        try {
            assertError(403, "invalid_request", "HTTPS required.", post(CREDENTIALS + "&token=t"));
        } finally {
            admin.update("", realm -> realm.put("sslRequired", "external"));
        }
    }

    @Test
    void disabledRealm() {
        admin.update("", realm -> realm.put("enabled", false));
        try {
            assertError(403, "access_denied", "The realm is not enabled.", post(CREDENTIALS + "&token=t"));
        } finally {
            admin.update("", realm -> realm.put("enabled", true));
        }
    }

    @Test
    void errorsAreJsonForABrowserToo() {
        HttpRequest.Builder request = Http.form(url(), "token=%zz").header("Accept", "text/html");
        assertError(400, "invalid_request", MISSING, Http.send(request));
    }

    /** Pages that try out an OpenAPI document send Origin, and show nothing but the answer. */
    @ParameterizedTest
    @ValueSource(strings = {"Origin", "Sec-Fetch-Site"})
    void callOfABrowserIsToldSo(String header) {
        String form = CREDENTIALS + "&token=t";
        assertError(
                400,
                "invalid_request",
                "A browser sent this. Only a server may call (no Origin header).",
                Http.send(Http.form(url(), form).header(header, "https://editor.example.org")));
        assertEquals(200, Http.send(Http.form(url(), form)).statusCode());
    }

    @Test
    void theShortNameIsTheSameEndpoint() {
        assertError(
                400, "invalid_request", MISSING, Http.send(Http.form(federation.url() + "/checktoken", CREDENTIALS)));
    }

    @Test
    void otherPathsKeepTheirErrors() {
        HttpResponse<String> response =
                Http.send(Http.form(federation.url() + "/protocol/openid-connect/token/introspect", "token=%zz"));
        assertFalse(response.body().contains(MISSING), response.body());
    }

    @Test
    void eventNamesTheReasonAndTheClient() {
        post("client_id=dp-tax&client_secret=wrong&token=t");
        JsonNode event = lastError();
        assertEquals("dp-tax", event.get("clientId").asText());
        assertEquals("invalid_client_credentials", event.get("error").asText());

        post("client_id=sp-bank&client_secret=sp-bank-demo-secret&token=t");
        event = lastError();
        assertEquals("sp-bank", event.get("clientId").asText());
        assertEquals("not_allowed", event.get("error").asText());
        assertEquals(
                "no Data provider mapper on the client or on a default client scope",
                event.get("details").get("reason").asText());
    }

    private JsonNode lastError() {
        return admin.get("/events?type=INTROSPECT_TOKEN_ERROR&max=1").get(0);
    }

    private HttpResponse<String> post(String body) {
        return Http.send(Http.form(url(), body));
    }

    private String url() {
        return federation.url() + "/api/v2/checktoken";
    }

    private static void assertError(int status, String error, String description, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response::body);
        assertEquals(
                Http.JSON.valueToTree(Map.of("error", error, "error_description", description)),
                Http.json(response.body()));
        assertEquals(
                "application/json",
                response.headers().firstValue("Content-Type").orElse(null));
        assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control"));
        assertFalse(response.headers().firstValue("Set-Cookie").isPresent());
    }
}
