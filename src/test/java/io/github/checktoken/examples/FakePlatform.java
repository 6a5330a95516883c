package io.github.checktoken.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

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
    private final JWK recipient;
    private volatile AnswerKind kind = AnswerKind.RIGHT;

    /** @param recipient the data provider's key */
    FakePlatform(JWK recipient) {
        this.recipient = recipient;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                REALM + "/protocol/openid-connect/certs",
                exchange -> answer(exchange, "application/json", new JWKSet(List.of(REALM_RSA, REALM_EC)).toString()));
        server.createContext(
                REALM + "/api/v2/.well-known/openid-configuration",
                exchange -> answer(exchange, "application/json", metadata()));
        server.createContext(REALM + "/api/v2/checktoken", this::check);
        server.start();
    }

    /** The name, because the programs use no TLS only there. */
    String realmUrl() {
        return "http://localhost:" + server.getAddress().getPort() + REALM;
    }

    void answerWith(AnswerKind kind) {
        this.kind = kind;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void check(HttpExchange exchange) throws IOException {
        AnswerDraft answer = new AnswerDraft();
        answer.issuer = realmUrl() + "/api/v2";
        answer.audience = CLIENT_ID;
        answer.signatureKid = REALM_EC.getKeyID();
        answer.keyEncryption =
                (JWEAlgorithm) JWEAlgorithm.parse(recipient.getAlgorithm().getName());
        try {
            answer.signer = new ECDSASigner(REALM_EC);
            kind.change(answer, this);
            String type = kind == AnswerKind.JSON ? "application/json" : "application/" + AnswerDraft.TYPE;
            answer(exchange, type, kind.body(answer, recipient));
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

    private static void answer(HttpExchange exchange, String type, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
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
