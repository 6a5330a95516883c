package io.github.checktoken.client;

import java.net.URLEncoder;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.cert.X509Certificate;
import java.time.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

import com.nimbusds.jose.*;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.util.*;

import static io.github.checktoken.client.CheckTokenException.*;

/** Asks the platform about access tokens. Make one for each platform, and keep it: it keeps keys and connections. */
public final class CheckToken {

    private final Builder agreed;
    private final Platform platform;
    private final AnswerReader reader;

    private CheckToken(Builder agreed) {
        this.agreed = agreed;
        platform = new Platform(agreed);
        reader = new AnswerReader(agreed);
    }

    /**
     * @param realm the realm URL, such as {@code https://login.example.org/realms/federation}
     * @param clientId the data provider's
     */
    public static Builder builder(String realm, String clientId) {
        return new Builder(realm.replaceAll("/+$", "") + "/api/v2", clientId);
    }

    /** As the other one, for a request without a DPoP proof and without a client certificate. */
    public Answer check(String token) {
        return check(token, null, null);
    }

    /**
     * Asks the platform, and decrypts and verifies its answer.
     *
     * @param jkt SHA-256 thumbprint (RFC 7638) of the key in the request's DPoP proof, which you verified; or null
     * @param certificate that of the service provider's TLS connection to you, or null
     * @throws CheckTokenException if there is no answer that can be trusted, which says nothing about the token
     */
    public Answer check(String token, String jkt, X509Certificate certificate) {
        unless(token != null && token.matches("[\\x21-\\x7e]{1,65536}"), "no-token");
        long deadline = System.nanoTime() + agreed.timeBudget.toNanos();
        HttpResponse<String> reply = platform.post(agreed.form(token), deadline);
        String again = reply.headers().firstValue("Retry-After").orElse("");
        long pause = again.matches("\\d{1,4}") ? TimeUnit.SECONDS.toNanos(Long.parseLong(again)) : Long.MAX_VALUE;
        if (reply.statusCode() == 503 && pause < deadline - System.nanoTime()) {
            LockSupport.parkNanos(pause);
            reply = platform.post(agreed.form(token), deadline);
        }
        unlessOk(reply.statusCode(), reply.body());
        String type = reply.headers().firstValue("Content-Type").orElse("");
        Map<String, Object> answer = reader.read(token, type, reply.body(), wanted -> platform.key(wanted, deadline));
        return new Answer(answer, isProven(answer.get("cnf"), jkt, certificate), agreed.identity);
    }

    private static boolean isProven(Object cnf, String jkt, X509Certificate certificate) {
        if (!(cnf instanceof Map<?, ?> bound)) {
            return jkt == null;
        }
        boolean known = !bound.isEmpty() && Set.of("jkt", "x5t#S256").containsAll(bound.keySet());
        boolean signed = jkt == null ? !bound.containsKey("jkt") : jkt.equals(bound.get("jkt"));
        Base64URL x5t = certificate == null ? null : X509CertUtils.computeSHA256Thumbprint(certificate);
        boolean certified =
                !bound.containsKey("x5t#S256") || x5t != null && x5t.toString().equals(bound.get("x5t#S256"));
        return known && signed && certified;
    }

    /** What you agreed on with the platform's administrator. It needs one way to authenticate, and a private key. */
    public static final class Builder {

        final String issuer;
        final String clientId;
        final HttpClient.Builder http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER);
        Supplier<String> credentials;
        final Map<String, Key> keys = new HashMap<>();
        Set<String> signature = Set.of("ES256");
        Set<String> contentEncryption = Set.of("A256GCM");
        Set<String> identity = Set.of(
                "family_name", "given_name", "given_name_array", "gender", "birthdate", "birthplace", "birthcountry");
        Duration timeBudget = Duration.ofSeconds(10);
        Duration maximumAge = Duration.ofMinutes(5);
        Duration pause = Duration.ofSeconds(5);
        Clock clock = Clock.systemUTC();

        private Builder(String issuer, String clientId) {
            this.issuer = issuer;
            this.clientId = clientId;
            unless(issuer.matches("https://.+|http://(127\\.0\\.0\\.1|\\[::1]|localhost)[:/].+"), "settings-realm");
        }

        /** The client's secret, sent in the body (client_secret_post). */
        public Builder secret(String secret) {
            credentials = () -> "&client_secret=" + encoded(secret);
            return this;
        }

        /** A private key with {@code alg}, with which each call is signed (private_key_jwt). */
        public Builder privateKeyJwt(JWK key) {
            checkPrivate(key);
            String type = encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            credentials = () -> "&client_assertion_type=" + type + "&client_assertion="
                    + attempt("configuration", () -> assertion(key));
            return this;
        }

        /** Made of a key store with your certificate and its private key, and those you trust (tls_client_auth). */
        public Builder certificate(SSLContext context) {
            http.sslContext(context);
            credentials = () -> "";
            return this;
        }

        /** Your private keys, RSA or EC, each with the agreed {@code alg}; while you change keys, both. */
        public Builder decryptionKeys(JWK... privateKeys) {
            for (JWK key : privateKeys) {
                checkPrivate(key);
                Key own = attempt("settings-key-public", () -> ((AsymmetricJWK) key).toPrivateKey());
                keys.put(key.getAlgorithm() + " " + key.getKeyID(), own);
            }
            return this;
        }

        /** The {@code alg} of the signature; while it is changed, both. By default ES256. */
        public Builder signature(String... algorithms) {
            signature = Set.of(algorithms);
            return this;
        }

        /** The {@code enc} of the encryption; while it is changed, both. By default A256GCM. */
        public Builder contentEncryption(String... algorithms) {
            contentEncryption = Set.of(algorithms);
            return this;
        }

        /** The members of an answer that only a person has. By default the platform's identity data. */
        public Builder identity(String... members) {
            identity = Set.of(members);
            return this;
        }

        /** How long a check may take in all, with a second try after 503. By default 10 seconds. */
        public Builder timeBudget(Duration budget) {
            timeBudget = budget;
            return this;
        }

        /** @return a client that can be used by many threads */
        public CheckToken build() {
            unless(credentials != null && !keys.isEmpty(), "settings-missing");
            return new CheckToken(this);
        }

        private static void checkPrivate(JWK key) {
            unless(key != null && key.isPrivate(), "settings-key-public");
            unless(key.getAlgorithm() != null, "settings-key-alg");
        }

        String form(String token) {
            return "client_id=" + encoded(clientId) + credentials.get() + "&token=" + encoded(token);
        }

        private static String encoded(String value) {
            return URLEncoder.encode(value, StandardCharsets.UTF_8);
        }

        /** Works once (RFC 7523). Its audience is the issuer of answers: no other endpoint accepts it. */
        private String assertion(JWK key) throws JOSEException {
            long now = Instant.now().getEpochSecond();
            String jti = UUID.randomUUID().toString();
            Map<String, Object> claims =
                    Map.of("iss", clientId, "sub", clientId, "aud", issuer, "jti", jti, "iat", now, "exp", now + 60);
            JWSAlgorithm algorithm = JWSAlgorithm.parse(key.getAlgorithm().getName());
            JWSHeader.Builder header = new JWSHeader.Builder(algorithm).keyID(key.getKeyID());
            JWSObject jws = new JWSObject(header.build(), new Payload(claims));
            jws.sign(new DefaultJWSSignerFactory().createJWSSigner(key));
            return jws.serialize();
        }
    }
}
