package io.github.checktoken.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** What is loaded from the platform before an answer can be read, and how a client authenticates. */
class PlatformTest {

    private static final TestClient CLIENT = KIT.clients().get(0);

    private final AtomicInteger loads = new AtomicInteger();

    private HttpServer server;
    private String origin;
    private String issuer;
    private String namedIssuer;
    private String endpoint;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin = "http://127.0.0.1:" + server.getAddress().getPort();
        issuer = origin + "/api/v2";
        namedIssuer = issuer;
        endpoint = issuer + "/checktoken";
        serve(
                "/api/v2/.well-known/openid-configuration",
                () -> JSONObjectUtils.toJSONString(Map.of(
                        "issuer", namedIssuer, "introspection_endpoint", endpoint, "jwks_uri", origin + "/jwks")));
        serve("/jwks", () -> {
            loads.incrementAndGet();
            return KIT.keySet("platform").toPublicJWKSet().toString();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void keysAreKept() {
        Platform platform = platform(Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            assertNotNull(platform.key(keyFor("ES256", "platform-ES256"), soon()));
        }
        assertEquals(1, loads.get());
    }

    @Test
    void oldKeysAreLoadedAgain() {
        CheckToken.Builder builder = TestCheckToken.builder(issuer, CLIENT);
        builder.maximumAge = Duration.ZERO;
        Platform platform = new Platform(builder.complete());
        platform.key(keyFor("ES256", "platform-ES256"), soon());
        platform.key(keyFor("ES256", "platform-ES256"), soon());
        assertEquals(2, loads.get());
    }

    @Test
    void anUnknownKeyIsLookedForOnceInAPause() {
        Platform platform = platform(Duration.ofHours(1));
        for (int i = 0; i < 3; i++) {
            assertNull(platform.key(keyFor("ES256", "unknown"), soon()));
        }
        assertEquals(1, loads.get());
        Platform impatient = platform(Duration.ZERO);
        impatient.key(keyFor("ES256", "platform-ES256"), soon());
        assertNull(impatient.key(keyFor("ES256", "unknown"), soon()));
        assertEquals(3, loads.get());
    }

    @Test
    void keysOfOtherAlgorithmsAreLeftOut() {
        assertNull(platform(Duration.ZERO).key(keyFor("ES256", "platform-RS256"), soon()));
    }

    @Test
    void metadataOfAnotherIssuerAreRefused() {
        namedIssuer = origin + "/other";
        assertEquals("wrong-metadata", refusal(TestCheckToken.builder(issuer, CLIENT)));
    }

    @Test
    void anEndpointAtAnotherHostIsRefused() {
        endpoint = "https://elsewhere.example/api/v2/checktoken";
        assertEquals("wrong-metadata", refusal(TestCheckToken.builder(issuer, CLIENT)));
        endpoint = origin + ".elsewhere.example/api/v2/checktoken";
        assertEquals("wrong-metadata", refusal(TestCheckToken.builder(issuer, CLIENT)));
    }

    @Test
    void noConnectionIsUnreachable() {
        server.stop(0);
        assertEquals("unreachable", refusal(TestCheckToken.builder(issuer, CLIENT)));
    }

    @Test
    void aCallWithoutAnAnswerIsRepeatedOnlyOnce() {
        AtomicInteger calls = new AtomicInteger();
        server.createContext("/api/v2/checktoken", exchange -> {
            calls.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.close();
        });
        assertEquals("unreachable", refusal(TestCheckToken.builder(issuer, CLIENT)));
        assertEquals(2, calls.get());
    }

    @Test
    void aCallThatIsAnsweredInPartIsNotRepeated() {
        AtomicInteger calls = new AtomicInteger();
        server.createContext("/api/v2/checktoken", exchange -> {
            calls.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        assertEquals("unreachable", refusal(TestCheckToken.builder(issuer, CLIENT)));
        assertEquals(1, calls.get());
    }

    @Test
    void whateverTheKeySetIsItIsRefusedAndNoOtherError() {
        for (String set : List.of("[[]]", "{}", "{\"keys\":7}", "{\"keys\":null}", "7", "")) {
            server.removeContext("/jwks");
            serve("/jwks", () -> set);
            assertEquals("wrong-metadata", refusal(TestCheckToken.builder(issuer, CLIENT)), set);
        }
    }

    @Test
    void onlyThisMachineMayBeCalledWithoutTls() {
        for (String realm : List.of("http://login.example.org", "http://localhost.example.org", "ftp://localhost/")) {
            CheckTokenException refusal =
                    assertThrows(CheckTokenException.class, () -> CheckToken.builder(realm, "dp"));
            assertEquals("configuration", refusal.reason());
        }
    }

    @Test
    void notMoreThanTheGreatestSizeIsRead() throws IOException {
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            CheckToken checkToken =
                    TestCheckToken.builder(platform.issuer(), CLIENT).build();
            CheckTokenException refusal =
                    assertThrows(CheckTokenException.class, () -> checkToken.check("case.too-large"));
            assertEquals("too-large", refusal.reason());
        }
    }

    @Test
    void keysThatAreNoObjectAreRefused() {
        server.removeContext("/jwks");
        serve("/jwks", () -> "null");
        assertEquals("wrong-metadata", refusal(TestCheckToken.builder(issuer, CLIENT)));
    }

    @Test
    void eachCallHasAnAssertionOfItsOwn() throws IOException {
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            CheckToken checkToken = TestCheckToken.unauthenticated(platform.issuer(), CLIENT)
                    .privateKeyJwt(KIT.key("data-provider-assertion"))
                    .build();
            checkToken.check(KIT.token("active")).require("tax_income").person();
            assertEquals(Map.of("active", false), checkToken.check("any").unchecked());
        }
    }

    @Test
    void aWrongSecretIsRefused() throws IOException {
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            assertEquals(
                    "wrong-credentials",
                    refusal(TestCheckToken.builder(platform.issuer(), CLIENT).secret("wrong")));
        }
    }

    private static String refusal(CheckToken.Builder builder) {
        CheckToken checkToken = builder.build();
        return assertThrows(CheckTokenException.class, () -> checkToken.check(KIT.token("active")))
                .reason();
    }

    private Platform platform(Duration pause) {
        CheckToken.Builder builder = TestCheckToken.builder(issuer, CLIENT);
        builder.pause = pause;
        return new Platform(builder.complete());
    }

    private static JWKMatcher keyFor(String algorithm, String kid) {
        return JWKMatcher.forJWSHeader(
                new JWSHeader.Builder(JWSAlgorithm.parse(algorithm)).keyID(kid).build());
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofMinutes(1).toNanos();
    }

    private void serve(String path, Document document) {
        server.createContext(path, exchange -> {
            try (exchange) {
                byte[] body = document.text().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    private interface Document {

        String text();
    }
}
