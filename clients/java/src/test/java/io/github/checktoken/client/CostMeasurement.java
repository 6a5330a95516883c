package io.github.checktoken.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a check costs beside what nobody can save: the HTTP call, the decryption and the verification. Both are measured
 * in turns, so that a busy machine slows both down. Not one of the ordinary tests: {@code -Dtest=CostMeasurement}.
 */
class CostMeasurement {

    private static final double LIMIT = 1.2;
    private static final int WARM_UP = 1_000;
    private static final int CALLS = 1_000;
    private static final int ATTEMPTS = 3;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aCheckCostsLittleMoreThanCallAndCryptography() throws Exception {
        TestClient client = KIT.clients().get(0);
        HttpServer server;
        String issuer;
        try (MockPlatform platform = new MockPlatform(InetAddress.getLoopbackAddress(), 0)) {
            issuer = platform.issuer();
            server = replayOf(issuer, client);
        }
        server.bind(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), URI.create(issuer).getPort()),
                0);
        server.start();
        try {
            CheckToken.Builder builder = TestCheckToken.builder(issuer, client);
            builder.clock = Clock.fixed(Instant.now(), ZoneOffset.UTC);
            builder.pause = Duration.ofHours(1);
            CheckToken checkToken = builder.build();
            double ratio = Double.MAX_VALUE;
            for (int attempt = 0; attempt < ATTEMPTS && ratio > LIMIT; attempt++) {
                ratio = ratio(checkToken, bare(issuer, client));
            }
            assertTrue(ratio <= LIMIT, "ratio " + ratio);
        } finally {
            server.stop(0);
        }
    }

    private static double ratio(CheckToken checkToken, Call bare) throws Exception {
        long[] checks = new long[CALLS];
        long[] bares = new long[CALLS];
        for (int i = -WARM_UP; i < CALLS; i++) {
            long start = System.nanoTime();
            checkToken.check(KIT.token("active")).require("tax_income").person();
            long between = System.nanoTime();
            bare.run();
            if (i >= 0) {
                checks[i] = between - start;
                bares[i] = System.nanoTime() - between;
            }
        }
        double ratio = (double) median(checks) / median(bares);
        System.out.printf(
                "A check takes %d µs, call and cryptography alone %d µs: ratio %.3f%n",
                median(checks) / 1000, median(bares) / 1000, ratio);
        return ratio;
    }

    /** The same call, decryption and verification, with nothing checked. */
    private Call bare(String issuer, TestClient client) throws Exception {
        RSADecrypter decrypter = new RSADecrypter((RSAKey) TestCheckToken.privateKey(client));
        JWSVerifier verifier = new ECDSAVerifier((ECKey) KIT.key("platform-ES256"));
        return () -> {
            JWEObject jwe = JWEObject.parse(http.send(call(issuer, client), HttpResponse.BodyHandlers.ofString())
                    .body());
            jwe.decrypt(decrypter);
            String jws = jwe.getPayload().toString();
            int dot = jws.lastIndexOf('.');
            JWSHeader header = JWSHeader.parse(new Base64URL(jws.substring(0, jws.indexOf('.'))));
            byte[] input = jws.substring(0, dot).getBytes(StandardCharsets.US_ASCII);
            assertTrue(verifier.verify(header, input, new Base64URL(jws.substring(dot + 1))));
        };
    }

    /** @return a server, not yet bound, that gives the platform's documents again, so that making them costs nothing */
    private HttpServer replayOf(String issuer, TestClient client) throws Exception {
        HttpServer server = HttpServer.create();
        URI realm = URI.create(issuer.substring(0, issuer.length() - "/api/v2".length()));
        for (String path : List.of("/api/v2/.well-known/openid-configuration", "/protocol/openid-connect/certs")) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(realm + path)).build();
            replay(server, realm.getPath() + path, "application/json", request);
        }
        replay(
                server,
                realm.getPath() + "/api/v2/checktoken",
                "application/token-introspection+jwt",
                call(issuer, client));
        return server;
    }

    private void replay(HttpServer server, String path, String contentType, HttpRequest request) throws Exception {
        byte[] body =
                http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Content-Type", contentType);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    private static HttpRequest call(String issuer, TestClient client) {
        String form = "client_id=" + client.clientId() + "&client_secret=" + client.secret() + "&token=case.active";
        return HttpRequest.newBuilder(URI.create(issuer + "/checktoken"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
    }

    private static long median(long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private interface Call {

        void run() throws Exception;
    }
}
