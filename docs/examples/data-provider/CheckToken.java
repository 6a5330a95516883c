// Checks an access token, given as the argument or on the standard input. Needs Java 17 or later, and the JAR of
// nimbus-jose-jwt:
// mvn dependency:copy -Dartifact=com.nimbusds:nimbus-jose-jwt:10.10 -DoutputDirectory=.
import com.nimbusds.jose.*;
import com.nimbusds.jose.jwk.*;
import com.nimbusds.jose.jwk.source.*;
import com.nimbusds.jose.proc.*;
import com.nimbusds.jose.util.*;
import com.nimbusds.jwt.*;
import com.nimbusds.jwt.proc.*;
import java.io.IOException;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.Key;
import java.text.ParseException;
import java.time.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.*;

class CheckToken {

    // As agreed with the platform. The key encryption is the alg of the private key.
    static final JWSAlgorithm SIGNATURE = JWSAlgorithm.ES256;
    static final EncryptionMethod CONTENT_ENCRYPTION = EncryptionMethod.A256GCM;

    final HttpClient http = HttpClient.newHttpClient();
    final DefaultJWTProcessor<SecurityContext> answers = new DefaultJWTProcessor<>();
    final String realm;
    final String clientId;
    final String clientSecret;
    final List<JWK> privateKeys = new ArrayList<>();

    CheckToken(Map<String, String> settings) throws IOException, ParseException {
        realm = settings.get("REALM").replaceAll("/+$", "");
        clientId = settings.get("CLIENT_ID");
        clientSecret = settings.get("CLIENT_SECRET");
        for (String file : settings.getOrDefault("PRIVATE_KEYS", "private.jwk.json").split(" ")) {
            privateKeys.add(JWK.parse(Files.readString(Path.of(file))));
        }
        // Keeps the realm's keys, and loads them again when it needs a new one.
        JWKSource<SecurityContext> realmKeys = JWKSourceBuilder.create(
                        URI.create(realm + "/protocol/openid-connect/certs").toURL(),
                        new DefaultResourceRetriever(5_000, 5_000))
                .build();
        answers.setJWEKeySelector((header, context) -> List.of(privateKey(header)));
        answers.setJWSKeySelector(new JWSVerificationKeySelector<>(SIGNATURE, realmKeys));
        answers.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("token-introspection+jwt")));
        answers.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                clientId,
                new JWTClaimsSet.Builder().issuer(realm + "/api/v2").build(),
                Set.of("iat", "token_introspection")));
    }

    Map<String, Object> check(String token) throws Exception {
        String form = Map.of("client_id", clientId, "client_secret", clientSecret, "token", token).entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(realm + "/api/v2/checktoken"))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        CompletableFuture<HttpResponse<String>> call = http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        HttpResponse<String> response;
        try {
            // The request's own time-out ends with the headers of the answer.
            response = call.get(10, TimeUnit.SECONDS);
        } finally {
            // Closes the connection of an answer that does not end.
            call.cancel(true);
        }
        if (response.statusCode() != 200) {
            throw new IllegalStateException("checktoken answered " + response.statusCode() + ": " + response.body());
        }
        // Without this check, the processor would accept a JWE without a signature inside, which anybody can make.
        EncryptedJWT answer = EncryptedJWT.parse(response.body());
        if (!"JWT".equals(answer.getHeader().getContentType())) {
            throw new IllegalStateException("The answer is not signed");
        }
        JWTClaimsSet claims = answers.process(answer, null);
        Duration age = Duration.between(claims.getIssueTime().toInstant(), Instant.now());
        if (age.abs().compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalStateException("The answer was made at another time");
        }
        // It can say active: false. Steps 8 to 11 of the guide are the caller's.
        return claims.getJSONObjectClaim("token_introspection");
    }

    /** Finds the key that the header of the answer names. While you change keys there are two. */
    Key privateKey(JWEHeader header) {
        if (!header.getEncryptionMethod().equals(CONTENT_ENCRYPTION)) {
            throw new IllegalStateException("The answer is not encrypted as agreed");
        }
        try {
            for (JWK key : privateKeys) {
                if (Objects.equals(key.getKeyID(), header.getKeyID())
                        && header.getAlgorithm().equals(key.getAlgorithm())) {
                    return ((AsymmetricJWK) key).toPrivateKey();
                }
            }
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException(
                "No private key has kid " + header.getKeyID() + " and alg " + header.getAlgorithm());
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> settings = System.getenv();
        String missing = Stream.of("REALM", "CLIENT_ID", "CLIENT_SECRET")
                .filter(name -> settings.getOrDefault(name, "").isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            stop("Not set: " + missing);
        }
        String token = arguments.length > 0 ? arguments[0] : new String(System.in.readAllBytes()).strip();
        if (token.isEmpty()) {
            stop("No access token, neither as the argument nor on the standard input");
        }
        try {
            System.out.println(JSONObjectUtils.toJSONString(new CheckToken(settings).check(token)));
        } catch (Exception e) {
            stop(Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    static void stop(String message) {
        System.err.println(message);
        System.exit(1);
    }
}
