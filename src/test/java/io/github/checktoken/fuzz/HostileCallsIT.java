package io.github.checktoken.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.introspection.jose.JoseAlgorithms;
import io.github.checktoken.support.client.AnswerMembers;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.RawHttp;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Sends hostile calls to a real server. The code of this project must not cause a status 500, no call may take longer
 * than a second or show internals of the server, and only a valid token may lead to an answer about the person. Each
 * answer about a token is encrypted. No caller can begin a line of the log.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("fuzz")
@ResourceLock(HostileCallsIT.LOG_OF_ASSERTIONS)
public class HostileCallsIT {

    /** Keycloak logs a client assertion that it cannot read, which these tests send, too. */
    public static final String LOG_OF_ASSERTIONS = "log of client assertions";

    private static final int THREADS = 4;

    /** Finds a stack frame, the name of an exception or a package of the server. */
    private static final Pattern INSIDE = Pattern.compile(
            "(?m)^\\s+at [\\w.$/]+\\(|[a-z]Exception\\b|\\.java:\\d|org\\.keycloak|io\\.github|jakarta\\.");

    private static final String FORM = "application/x-www-form-urlencoded";

    private final KeycloakServer server;
    private final ThreadLocal<RawHttp> http;
    private FuzzRealm realm;
    private ForgedTokenGenerator tokens;
    private DataProviderClient dataProvider;
    private ServerLogGrowth log;

    HostileCallsIT(KeycloakServer server) {
        this.server = server;
        this.http = ThreadLocal.withInitial(() -> new RawHttp(server.baseUrl()));
    }

    @BeforeAll
    void begin() throws IOException {
        log = new ServerLogGrowth(server.log());
        realm = new FuzzRealm(server);
        tokens = new ForgedTokenGenerator(realm);
        dataProvider = realm.dataProviderClient();
        assertTrue(
                dataProvider.check(realm.tokens().accessToken()).active(),
                "the token that the tests change must be active");
    }

    @AfterAll
    void end() throws IOException {
        assertTrue(log.hasLine(), "the log must have the trace id of the calls");
        assertFalse(log.hasFrame(), "the log has a stack trace with code of this project");
        List<String> forged = log.forged();
        assertEquals(
                List.of(),
                forged.subList(0, Math.min(10, forged.size())),
                forged.size() + " lines of the log are forged");
    }

    @Test
    void tokenThatTheRealmDidNotGiveIsNotActive() {
        Fuzz.check(THREADS, FuzzTarget.TOKENS, tokens::input, input -> {
            String token = tokens.token(input);
            RawHttp.Response response = call(form(realm.secret(), token), FORM);
            if (token.isBlank() || token.length() > 131_072) {
                assertRefused(response);
            } else {
                boolean active = assertEncrypted(response);
                assertTrue(!active || tokens.mayBeActive(token), "a forged token is active");
            }
        });
    }

    @Test
    void formIsAnsweredOrRefused() {
        Fuzz.check(THREADS, FuzzTarget.FORMS, this::form, input -> {
            RawHttp.Response response = call(input.get(0), input.get(1));
            if (response.status() == 500) {
                assertHarmless(response);
            } else if (response.status() != 200) {
                assertRefused(response);
            } else if (assertEncrypted(response)) {
                assertTrue(hasActiveToken(input.get(0)), "active, although the form has no active token");
                assertTrue(input.get(0).contains(realm.secret()), "active, although the form does not have the secret");
            }
        });
    }

    private boolean hasActiveToken(String form) {
        return Stream.of(form.split("&"))
                .filter(parameter -> parameter.startsWith("token="))
                .map(parameter -> URLDecoder.decode(parameter.substring(6), StandardCharsets.UTF_8))
                .anyMatch(token -> token.equals(realm.tokens().accessToken()) || tokens.mayBeActive(token));
    }

    @Test
    void requestIsAnsweredWhateverItsPathAndHeaders() {
        Fuzz.check(THREADS, FuzzTarget.HEADS, this::head, input -> {
            try {
                assertHarmless(http.get().sendLast(input.get(0), bytes(input.get(1))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void tokenRequestGetsAmrOnlyWhereItAsks() {
        Fuzz.check(THREADS, FuzzTarget.TOKEN_REQUESTS, HostileCallsIT::claims, input -> {
            RawHttp.Response response = post(
                    realm.path() + "/protocol/openid-connect/token",
                    FORM,
                    "grant_type=client_credentials&scope=openid&client_id=" + FuzzRealm.SERVICE_PROVIDER
                            + "&client_secret=" + realm.secret() + "&claims=" + Http.encode(input.get(0)));
            assertHarmless(response);
            if (response.status() == 413) {
                return; // The form is larger than Keycloak's form reader accepts.
            }
            assertEquals(200, response.status());
            JsonNode idToken =
                    Tokens.claims(Http.json(response.body()).get("id_token").asText());
            assertTrue(!idToken.has("amr") || isEssential(input.get(0)), "amr, although nothing asked for it");
        });
    }

    @Test
    void dataProviderIsAnsweredWhateverItsSettings() {
        Fuzz.check(FuzzTarget.DATA_PROVIDERS, HostileCallsIT::settings, input -> {
            String clientId = "dp-" + UUID.randomUUID();
            String client = "/clients/" + realm.admin().create("/clients", client(clientId, input));
            try {
                RawHttp.Response response = call(
                        form(realm.secret(), realm.tokens().accessToken()).replace(FuzzRealm.DATA_PROVIDER, clientId),
                        FORM);
                assertNothingInside(response);
                boolean supported = JoseAlgorithms.SIGNATURE.contains(input.get(0))
                        && JoseAlgorithms.KEY_MANAGEMENT.contains(input.get(1))
                        && JoseAlgorithms.CONTENT_ENCRYPTION.contains(input.get(2));
                if (supported && input.get(0).equals("RS256")) {
                    assertTrue(List.of(200, 503).contains(response.status()), "status " + response.status());
                }
                assertTrue(Http.json(realm.admin().send("GET", "/checktoken/data-providers", null))
                        .toString()
                        .contains(clientId));
            } finally {
                realm.admin().delete(client);
            }
        });
    }

    private List<String> form(HostileInput hostile) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("client_id", FuzzRealm.DATA_PROVIDER);
        form.put("client_secret", realm.secret());
        form.put("token", realm.tokens().accessToken());
        StringBuilder more = new StringBuilder();
        for (int changes = hostile.below(4); changes > 0; changes--) {
            String name = hostile.oneOf(
                    "client_id",
                    "client_secret",
                    "token",
                    "client_assertion",
                    "client_assertion_type",
                    "scope",
                    "token_type_hint",
                    "resource",
                    "code",
                    hostile.text());
            if (hostile.oneIn(4)) {
                form.remove(name);
            } else if (hostile.oneIn(4)) {
                more.append('&').append(latin(name)).append('=').append(latin(hostile.text()));
            } else {
                form.put(name, value(hostile));
            }
        }
        String body = Http.encode(form) + more;
        if (hostile.oneIn(6)) {
            body = latin(hostile.mutated(body));
        }
        if (hostile.oneIn(300)) {
            body += "&x=1".repeat(2_000) + "&y=" + "y".repeat(hostile.oneOf(10, 140_000, 1 << 20));
        }
        return List.of(
                body, hostile.oneIn(8) ? header(hostile.text(FORM, ";", "charset=", "UTF-16", "ISO-8859-1")) : FORM);
    }

    private String value(HostileInput hostile) {
        return hostile.oneOf(
                hostile.text(),
                hostile.text("urn:ietf:params:oauth:client-assertion-type:jwt-bearer", FuzzRealm.SERVICE_PROVIDER),
                hostile.mutated(realm.secret()),
                tokens.token(tokens.input(hostile)));
    }

    private List<String> head(HostileInput hostile) {
        String path = hostile.oneOf(
                realm.path() + "/checktoken",
                realm.path() + "/api/v2/checktoken",
                realm.path() + "/api/v2/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server" + realm.path() + "/api/v2",
                realm.path() + "/api/v1/authorize",
                "/admin" + realm.path() + "/checktoken/data-providers");
        if (hostile.oneIn(4)) {
            path = hostile.mutated(path);
        }
        if (hostile.oneIn(3)) {
            path += "?" + hostile.text("first=", "max=", "client_id=", "claims=", "scope=");
        }
        StringBuilder head = new StringBuilder(hostile.oneOf("GET", "POST", "POST", "PUT", "OPTIONS", "HEAD", "PATCH"))
                .append(' ')
                .append(hostile.oneIn(2) ? Http.encode(path).replace("%2F", "/").replace("%3F", "?") : header(path))
                .append(" HTTP/1.1\r\ntraceparent: ")
                .append(log.traceParent())
                .append("\r\nHost: ")
                .append(hostile.oneIn(4) ? header(hostile.text("localhost", ":", "80", ".")) : "localhost")
                .append("\r\n");
        String body = form(realm.secret(), realm.tokens().accessToken());
        for (int headers = hostile.below(4); headers > 0; headers--) {
            String text =
                    hostile.text("http", "https", "127.0.0.1", "localhost", ",", "=", "Basic ", "Bearer ", FORM, "fr");
            head.append(hostile.oneOf(
                            "X-Forwarded-Host",
                            "X-Forwarded-Proto",
                            "X-Forwarded-For",
                            "X-Forwarded-Prefix",
                            "Forwarded",
                            "User-Agent",
                            "Accept",
                            "Accept-Language",
                            "Cookie",
                            "Origin",
                            "Referer",
                            "traceparent",
                            "DPoP",
                            "Content-Encoding",
                            "Authorization",
                            "X-HTTP-Method-Override"))
                    .append(": ")
                    .append(
                            hostile.oneIn(3)
                                    ? "Basic "
                                            + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                                    : header(text))
                    .append("\r\n");
        }
        head.append("Content-Type: " + FORM + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n");
        return List.of(head.toString(), body);
    }

    private static List<String> claims(HostileInput hostile) {
        return List.of(
                hostile.oneIn(2)
                        ? hostile.mutated("{\"id_token\":{\"amr\":{\"essential\":true}}}")
                        : hostile.json("id_token", "amr", "essential", "true", "userinfo"));
    }

    private static List<String> settings(HostileInput hostile) {
        return List.of(
                hostile.oneIn(3) ? hostile.text("none", "RS256") : hostile.oneOf(JoseAlgorithms.SIGNATURE),
                hostile.oneIn(3) ? hostile.text("dir", "RSA1_5") : hostile.oneOf(JoseAlgorithms.KEY_MANAGEMENT),
                hostile.oneIn(3) ? hostile.text("A256GCM") : hostile.oneOf(JoseAlgorithms.CONTENT_ENCRYPTION),
                hostile.oneIn(2) ? "{\"keys\":[]}" : hostile.json("keys", "kty", "EC"),
                hostile.oneOf("true", "false", hostile.text("true")));
    }

    private Map<String, Object> client(String clientId, List<String> settings) {
        return Map.of(
                "clientId", clientId,
                "secret", realm.secret(),
                "attributes", Map.of("use.jwks.string", settings.get(4), "jwks.string", settings.get(3)),
                "protocolMappers",
                        List.of(NewDataProvider.mapperJson(
                                "Data provider",
                                "oidc-data-provider-mapper",
                                Map.of(
                                        "introspection.signed.response.alg", settings.get(0),
                                        "introspection.encrypted.response.alg", settings.get(1),
                                        "introspection.encrypted.response.enc", settings.get(2)))));
    }

    private String form(String secret, String token) {
        return "client_id=" + FuzzRealm.DATA_PROVIDER + "&client_secret=" + secret + "&token=" + Http.encode(token);
    }

    private RawHttp.Response call(String body, String contentType) {
        return post(realm.path() + "/api/v2/checktoken", contentType, body);
    }

    private RawHttp.Response post(String path, String contentType, String body) {
        byte[] bytes = bytes(body);
        try {
            return http.get()
                    .send(
                            "POST " + path + " HTTP/1.1\r\nHost: localhost:"
                                    + server.baseUrl().getPort() + "\r\ntraceparent: " + log.traceParent()
                                    + "\r\nContent-Type: " + contentType
                                    + "\r\nContent-Length: " + bytes.length + "\r\n\r\n",
                            bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return whether the token is active */
    private boolean assertEncrypted(RawHttp.Response response) {
        assertHarmless(response);
        assertEquals(200, response.status());
        assertEquals("application/token-introspection+jwt", response.header("content-type"));
        assertEquals("no-store", response.header("cache-control"));
        try {
            Map<String, Object> payload = JWSObject.parse(dataProvider.decrypt(response.body()))
                    .getPayload()
                    .toJSONObject();
            AnswerMembers.check(payload);
            Map<?, ?> introspection = (Map<?, ?>) payload.get("token_introspection");
            boolean active = Boolean.TRUE.equals(introspection.get("active"));
            assertTrue(
                    active || introspection.equals(Map.of("active", false)),
                    "the answer says more than that the token is inactive");
            return active;
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }

    private void assertRefused(RawHttp.Response response) {
        assertHarmless(response);
        assertTrue(List.of(400, 401, 403, 413, 415).contains(response.status()), "status " + response.status());
        assertEquals("application/json", response.header("content-type"));
        assertEquals("no-store", response.header("cache-control"));
        assertTrue(Http.json(response.body()).hasNonNull("error"));
    }

    /**
     * Keycloak itself may answer 500, to a head or a form that it cannot read. It is Keycloak's own 500 if the stack
     * trace has no code of this project.
     */
    private void assertHarmless(RawHttp.Response response) {
        if (response.status() == 500) {
            assertFalse(log.hasFrame(), "status 500 from code of this project");
        } else {
            assertTrue(response.status() < 500 || response.status() == 501, "status " + response.status());
        }
        assertNothingInside(response);
    }

    private static void assertNothingInside(RawHttp.Response response) {
        assertFalse(response.body().contains(FuzzRealm.FAMILY_NAME), "the response has the person's name");
        assertFalse(
                INSIDE.matcher(response.body()).find(),
                () -> "the response shows internals of the server: " + response.body());
    }

    private static boolean isEssential(String claims) {
        try {
            return Http.JSON
                            .readTree(claims)
                            .path("id_token")
                            .path("amr")
                            .path("essential")
                            .booleanValue()
                    && JSONObjectUtils.parse(claims) != null;
        } catch (JsonProcessingException | ParseException e) {
            return false;
        }
    }

    /** @return the text in UTF-8, with one character for each byte */
    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Replaces control characters, because Netty rejects a header with one before any provider is called. */
    private static String header(String text) {
        return latin(text.replaceAll("\\p{Cntrl}", " "));
    }

    private static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }
}
