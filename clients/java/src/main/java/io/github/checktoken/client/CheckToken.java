package io.github.checktoken.client;

import java.net.URLEncoder;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

import com.nimbusds.jose.*;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.X509CertUtils;
import com.nimbusds.jwt.*;
import io.github.checktoken.client.Platform.Reply;

import static io.github.checktoken.client.CheckTokenException.unless;

/** Asks the platform about access tokens. Make one for each platform, and keep it: it keeps keys and connections. */
public final class CheckToken {

    private static final String CONTENT_TYPE = "application/token-introspection+jwt";
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,65536}");

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
        unless(token != null && TOKEN.matcher(token).matches(), "no-token");
        long deadline = System.nanoTime() + agreed.timeBudget.toNanos();
        Reply reply = call(token, deadline);
        String again = reply.header("Retry-After");
        long pause = again.matches("\\d{1,4}") ? TimeUnit.SECONDS.toNanos(Long.parseLong(again)) : Long.MAX_VALUE;
        if (reply.status() == 503 && pause < deadline - System.nanoTime()) {
            LockSupport.parkNanos(pause);
            reply = call(token, deadline);
        }
        requireAnswer(reply);
        Map<String, Object> answer = reader.read(token, reply.body(), header -> platform.key(header, deadline));
        return new Answer(answer, isProven(answer.get("cnf"), jkt, certificate), agreed.identity);
    }

    private static boolean isProven(Object cnf, String jkt, X509Certificate certificate) {
        Map<String, Object> proven = new HashMap<>();
        proven.put("jkt", jkt);
        proven.put(
                "x5t#S256",
                certificate == null
                        ? null
                        : X509CertUtils.computeSHA256Thumbprint(certificate).toString());
        proven.values().removeIf(Objects::isNull);
        Map<String, Object> bound = cnf == null ? Map.of() : AnswerReader.members(cnf);
        boolean any = cnf == null || !bound.isEmpty();
        return any && proven.entrySet().containsAll(bound.entrySet()) && (jkt == null || bound.containsKey("jkt"));
    }

    static void requireAnswer(Reply reply) {
        if (reply.status() != 200) {
            throw CheckTokenException.ofStatus(reply.status());
        }
        String contentType =
                reply.header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        unless(contentType.equals(CONTENT_TYPE), "wrong-content-type");
    }

    private Reply call(String token, long deadline) {
        Map<String, String> form = new HashMap<>(agreed.credentials.get());
        form.put("token", token);
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(platform.endpoint(deadline))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return platform.send(request, deadline);
    }

    /** What you agreed on with the platform's administrator. It needs one way to authenticate, and a private key. */
    public static final class Builder {

        final String issuer;
        final String clientId;
        final HttpClient.Builder http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER);
        Supplier<Map<String, String>> credentials;
        List<JWK> keys = List.of();
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
            unless(issuer.matches("https://.+|http://(127\\.0\\.0\\.1|\\[::1]|localhost)[:/].+"), "configuration");
        }

        /** The client's secret, sent in the body (client_secret_post). */
        public Builder secret(String secret) {
            credentials = () -> Map.of("client_id", clientId, "client_secret", secret);
            return this;
        }

        /** A private key with {@code alg}, with which each call is signed (private_key_jwt). */
        public Builder privateKeyJwt(JWK key) {
            String type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
            credentials = () ->
                    Map.of("client_id", clientId, "client_assertion_type", type, "client_assertion", assertion(key));
            return this;
        }

        /** Made of a key store with your certificate and its private key, and those you trust (tls_client_auth). */
        public Builder certificate(SSLContext context) {
            http.sslContext(context);
            credentials = () -> Map.of("client_id", clientId);
            return this;
        }

        /** Your private keys, RSA or EC, each with the agreed {@code alg}; while you change keys, both. */
        public Builder decryptionKeys(JWK... privateKeys) {
            keys = List.of(privateKeys);
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
            boolean usable = keys.stream().allMatch(key -> key.isPrivate() && key.getAlgorithm() != null);
            unless(credentials != null && !keys.isEmpty() && usable, "configuration");
            return new CheckToken(this);
        }

        /** Works once (RFC 7523). Its audience is the issuer of answers, which no other endpoint of Keycloak accepts. */
        private String assertion(JWK key) {
            JWSAlgorithm algorithm = JWSAlgorithm.parse(key.getAlgorithm().getName());
            JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                    .issuer(clientId)
                    .subject(clientId)
                    .audience(issuer)
                    .jwtID(UUID.randomUUID().toString())
                    .issueTime(new Date())
                    .expirationTime(Date.from(Instant.now().plusSeconds(60)));
            try {
                SignedJWT jwt = new SignedJWT(
                        new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims.build());
                jwt.sign(new DefaultJWSSignerFactory().createJWSSigner(key));
                return jwt.serialize();
            } catch (JOSEException e) {
                throw new CheckTokenException("configuration", " The key cannot sign assertions.");
            }
        }
    }
}
