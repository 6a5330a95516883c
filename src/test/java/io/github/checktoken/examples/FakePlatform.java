package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.support.client.Http;

/** A platform that gives wrong answers, which Keycloak cannot be made to give. */
final class FakePlatform implements AutoCloseable {

    static final String CLIENT_ID = "dp-example";

    static final ECKey REALM_EC = ecKey("realm-ec");
    static final RSAKey REALM_RSA = rsaKey("realm-rsa");
    /** Not a key of the realm. */
    static final ECKey STRANGER = ecKey("stranger");

    private static final String REALM = "/realms/example";

    private final HttpServer server;
    /** Another host, to which the platform redirects. */
    private final HttpServer elsewhere;

    private final AtomicInteger callsElsewhere = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JWK recipient;
    private volatile AnswerKind kind = AnswerKind.RIGHT;

    /** @param recipient the data provider's key */
    FakePlatform(JWK recipient) {
        this.recipient = recipient;
        server = newServer();
        elsewhere = newServer();
        server.createContext(
                REALM + "/protocol/openid-connect/certs",
                exchange -> answer(exchange, "application/json", new JWKSet(List.of(REALM_RSA, REALM_EC)).toString()));
        server.createContext(
                REALM + "/api/v2/.well-known/openid-configuration",
                exchange -> answer(exchange, "application/json", metadata()));
        server.createContext(REALM + "/api/v2/checktoken", exchange -> check(exchange, kind));
        elsewhere.createContext("/", exchange -> {
            callsElsewhere.incrementAndGet();
            check(exchange, AnswerKind.RIGHT);
        });
        server.start();
        elsewhere.start();
    }

    private HttpServer newServer() {
        try {
            HttpServer created = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            // A stalled answer must not stop the others.
            created.setExecutor(threads);
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name, because the programs use no TLS only there. */
    String realmUrl() {
        return "http://localhost:" + server.getAddress().getPort() + REALM;
    }

    void answerWith(AnswerKind kind) {
        this.kind = kind;
        callsElsewhere.set(0);
    }

    /** @return how often a redirect was followed since the last change of the answer */
    int callsElsewhere() {
        return callsElsewhere.get();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        elsewhere.stop(0);
        threads.shutdownNow();
    }

    void redirect(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders()
                    .set(
                            "Location",
                            "http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/");
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /** Sends the headers of an answer, and nothing else until this platform is closed. */
    void stall(HttpExchange exchange, String type, int length) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, length);
            closed.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void check(HttpExchange exchange, AnswerKind kind) throws IOException {
        AnswerDraft answer = new AnswerDraft();
        answer.issuer = realmUrl() + "/api/v2";
        answer.audience = CLIENT_ID;
        answer.signatureKid = REALM_EC.getKeyID();
        answer.keyEncryption =
                (JWEAlgorithm) JWEAlgorithm.parse(recipient.getAlgorithm().getName());
        try {
            answer.signer = new ECDSASigner(REALM_EC);
            kind.change(answer, this);
            kind.send(exchange, this, kind.body(answer, recipient));
        } catch (JOSEException e) {
            throw new IOException(e);
        }
    }

    private String metadata() {
        return Http.JSON
                .valueToTree(Map.of(
                        "issuer", realmUrl() + "/api/v2",
                        "introspection_endpoint", realmUrl() + "/api/v2/checktoken",
                        "jwks_uri", realmUrl() + "/protocol/openid-connect/certs"))
                .toString();
    }

    static void answer(HttpExchange exchange, String type, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private static ECKey ecKey(String kid) {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyID(kid)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsaKey(String kid) {
        try {
            return new RSAKeyGenerator(2048)
                    .keyID(kid)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.RS256)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
