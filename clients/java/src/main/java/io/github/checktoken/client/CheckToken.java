package io.github.checktoken.client;

import java.net.URLEncoder;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.cert.X509Certificate;
import java.time.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.net.ssl.*;

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
        HttpResponse<String> reply = platform.post(() -> agreed.form(token), deadline);
        String again = reply.headers().firstValue("Retry-After").orElse("");
        long pause = again.matches("\\d{1,4}") ? TimeUnit.SECONDS.toNanos(Long.parseLong(again)) : Long.MAX_VALUE;
        if (reply.statusCode() == 503 && pause < deadline - System.nanoTime()) {
            LockSupport.parkNanos(pause);
            reply = platform.post(() -> agreed.form(token), deadline);
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

    /**
     * What you agreed on with the platform's administrator. It needs one way to authenticate, and a private key. The order
     * of the calls does not matter, and what is built does not change with the builder.
     */
    public static final class Builder implements Cloneable {

        final String issuer;
        final String clientId;
        String connectTo;
        HttpClient http;
        private KeyStore trusted;
        private String secret;
        private JWK signer;
        private SSLContext certificate;
        Map<String, Key> keys = Map.of();
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
            connectTo(origin());
        }

        /** @return scheme, host and port of the realm's public address, with a slash */
        String origin() {
            return issuer.replaceFirst("^(\\w+://[^/]*/).*", "$1");
        }

        /**
         * Where to connect to instead of the realm's scheme, host and port, if you do not reach its public name, such as
         * {@code https://keycloak.example.internal:8443}. Certificates are of this name; issuer and audience do not change.
         */
        public Builder connectTo(String base) {
            connectTo = base.replaceAll("/+$", "") + "/";
            unless(
                    connectTo.matches("(https://[^/]+|http://(127\\.0\\.0\\.1|\\[::1]|localhost)(:\\d+)?)/"),
                    "settings-realm");
            return this;
        }

        /** The client's secret, sent in the body (client_secret_post). */
        public Builder secret(String secret) {
            this.secret = secret;
            return this;
        }

        /** A private key with {@code alg}, with which each call is signed (private_key_jwt). */
        public Builder privateKeyJwt(JWK key) {
            checkPrivate(key);
            signer = key;
            return this;
        }

        /** Made of a key store with your certificate and its private key, and those you trust (tls_client_auth). */
        public Builder certificate(SSLContext context) {
            certificate = context;
            return this;
        }

        /** The certificates that the platform's has to come from, instead of those of the JVM. */
        public Builder trust(KeyStore certificates) {
            trusted = certificates;
            return this;
        }

        /**
         * A transport of your own, for example with a proxy that asks for a password. It must follow no redirects. By
         * default one that heeds the JVM's properties, such as {@code https.proxyHost} and {@code http.nonProxyHosts}.
         */
        public Builder transport(HttpClient client) {
            http = client;
            return this;
        }

        /** Your private keys, RSA or EC, each with the agreed {@code alg}; while you change keys, both. */
        public Builder decryptionKeys(JWK... privateKeys) {
            Map<String, Key> all = new HashMap<>(keys);
            for (JWK key : privateKeys) {
                checkPrivate(key);
                Key own = attempt("settings-key-public", () -> ((AsymmetricJWK) key).toPrivateKey());
                all.put(key.getAlgorithm() + " " + key.getKeyID(), own);
            }
            keys = all;
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

        /** The clock by which times in answers are checked, and those of assertions are made. By default the machine's. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** @return a client that can be used by many threads */
        public CheckToken build() {
            long ways = Stream.of(secret, signer, certificate)
                    .filter(Objects::nonNull)
                    .count();
            unless(ways == 1 && !keys.isEmpty(), "settings-missing");
            return new CheckToken(complete());
        }

        /** @return a copy with a transport. Trust store, certificate and transport each say whom to trust */
        Builder complete() {
            return attempt("settings-connection", () -> {
                Builder copy = (Builder) clone();
                HttpClient.Builder own = HttpClient.newBuilder();
                if (trusted != null) {
                    own.sslContext(trusting(trusted));
                } else if (certificate != null) {
                    own.sslContext(certificate);
                }
                copy.http = http == null ? own.build() : http;
                boolean both = trusted != null && (certificate != null || http != null);
                boolean other = certificate != null && certificate != copy.http.sslContext();
                unless(
                        !both && !other && copy.http.followRedirects() == HttpClient.Redirect.NEVER,
                        "settings-connection");
                return copy;
            });
        }

        private static SSLContext trusting(KeyStore certificates) throws GeneralSecurityException {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(certificates);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        }

        private static void checkPrivate(JWK key) {
            unless(key != null && key.isPrivate(), "settings-key-public");
            unless(key.getAlgorithm() != null, "settings-key-alg");
        }

        String form(String token) {
            return "client_id=" + encoded(clientId) + credentials() + "&token=" + encoded(token);
        }

        private String credentials() {
            if (signer == null) {
                return secret == null ? "" : "&client_secret=" + encoded(secret);
            }
            String type = encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            return "&client_assertion_type=" + type + "&client_assertion="
                    + attempt("configuration", () -> assertion(signer));
        }

        private static String encoded(String value) {
            return URLEncoder.encode(value, StandardCharsets.UTF_8);
        }

        /** Works once (RFC 7523). Its audience is the issuer of answers: no other endpoint accepts it. */
        private String assertion(JWK key) throws JOSEException {
            long now = clock.instant().getEpochSecond();
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
