package io.github.checktoken.client;

import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.client.Platform.Reply;

/** Asks the platform about access tokens. Make one for each platform, and keep it: it keeps keys and connections. */
public final class CheckToken {

    static final int MAX_CHARACTERS = 1 << 18;

    private static final String CONTENT_TYPE = "application/token-introspection+jwt";

    private final Builder agreed;
    private final Platform platform;
    private final AnswerReader reader;

    private CheckToken(Builder agreed) {
        this.agreed = agreed;
        platform = new Platform(agreed, agreed.http.build());
        reader = new AnswerReader(agreed);
    }

    /**
     * @param issuer {@code {realm URL}/api/v2}
     * @param clientId the data provider's
     */
    public static Builder builder(String issuer, String clientId) {
        return new Builder(issuer, clientId);
    }

    /**
     * Asks the platform, and decrypts and verifies its answer.
     *
     * @throws CheckTokenException if there is no answer that can be trusted, which says nothing about the token
     */
    public Answer check(String token) {
        if (token == null || token.isBlank()) {
            return new Answer.Inactive();
        }
        long deadline = System.nanoTime() + agreed.timeBudget.toNanos();
        Reply reply = call(token, deadline);
        if (reply.status() == 503 && reply.retryAfter().matches("\\d{1,4}")) {
            long pause = TimeUnit.SECONDS.toNanos(Long.parseLong(reply.retryAfter()));
            reply = System.nanoTime() + pause < deadline ? callAfter(pause, token, deadline) : reply;
        }
        requireAnswer(reply);
        return reader.read(token, reply.body(), name -> platform.key(name, deadline));
    }

    static void requireAnswer(Reply reply) {
        if (reply.status() != 200) {
            throw new CheckTokenException(reason(reply.status()), "status " + reply.status());
        }
        String contentType = reply.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        Reason.WRONG_CONTENT_TYPE.unless(contentType.equals(CONTENT_TYPE));
    }

    private Reply call(String token, long deadline) {
        Map<String, String> form = new TreeMap<>(agreed.credentials.get());
        form.put("token", token);
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(platform.endpoint(deadline))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .setHeader("Accept", CONTENT_TYPE)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return platform.send(request, deadline);
    }

    private Reply callAfter(long pause, String token, long deadline) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause);
        } catch (InterruptedException e) {
            throw Platform.interrupted();
        }
        return call(token, deadline);
    }

    private static Reason reason(int status) {
        return switch (status) {
            case 400, 405, 413, 415 -> Reason.INVALID_REQUEST;
            case 401 -> Reason.WRONG_CREDENTIALS;
            case 403 -> Reason.NOT_A_DATA_PROVIDER;
            case 429, 502, 503, 504 -> Reason.UNAVAILABLE;
            default -> status / 100 == 3 ? Reason.REDIRECT : Reason.PLATFORM_ERROR;
        };
    }

    /** What you agreed on with the platform's administrator. It needs one way to authenticate, and a private key. */
    public static final class Builder {

        final String issuer;
        final String clientId;
        final HttpClient.Builder http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER);
        Supplier<Map<String, String>> credentials;
        List<JWK> keys = List.of();
        Set<String> signature = Set.of("ES256");
        Set<String> keyEncryption = Set.of("RSA-OAEP-256", "ECDH-ES");
        Set<String> contentEncryption = Set.of("A256GCM");
        Set<String> identity = Set.of(
                "family_name", "given_name", "given_name_array", "gender", "birthdate", "birthplace", "birthcountry");
        Duration timeBudget = Duration.ofSeconds(10);
        Duration maximumAge = Duration.ofMinutes(5);
        Duration pause = Duration.ofSeconds(30);
        Clock clock = Clock.systemUTC();

        private Builder(String issuer, String clientId) {
            this.issuer = issuer;
            this.clientId = clientId;
            if (!issuer.matches("https://.+|http://(127\\.0\\.0\\.1|\\[::1]|localhost)[:/].+")) {
                throw new IllegalArgumentException("The issuer needs https, or http on this machine");
            }
        }

        /** The client's secret, sent in the body (client_secret_post). */
        public Builder secret(String secret) {
            credentials = () -> Map.of("client_id", clientId, "client_secret", secret);
            return this;
        }

        /** A private key with {@code alg}, with which each call is signed (private_key_jwt). */
        public Builder privateKeyJwt(JWK key) {
            credentials = new ClientAssertion(issuer, clientId, key);
            return this;
        }

        /** Made of a key store with your certificate and its private key, and those you trust (tls_client_auth). */
        public Builder certificate(SSLContext context) {
            http.sslContext(context);
            credentials = () -> Map.of("client_id", clientId);
            return this;
        }

        /** Your private keys, RSA or EC; while you change keys, both. */
        public Builder decryptionKeys(JWK... privateKeys) {
            keys = List.of(privateKeys);
            return this;
        }

        /** The {@code alg} of the signature; while it is changed, both. By default ES256. */
        public Builder signature(String... algorithms) {
            signature = Set.of(algorithms);
            return this;
        }

        /** {@code alg} and {@code enc} of the encryption. By default RSA-OAEP-256 or ECDH-ES as the key is, and A256GCM. */
        public Builder encryption(String keyAlgorithm, String contentAlgorithm) {
            keyEncryption = Set.of(keyAlgorithm);
            contentEncryption = Set.of(contentAlgorithm);
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
            if (credentials == null || keys.isEmpty() || !keys.stream().allMatch(JWK::isPrivate)) {
                throw new IllegalStateException("A way to authenticate or a private key is missing");
            }
            return new CheckToken(this);
        }
    }
}
