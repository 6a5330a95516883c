package example;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionAuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Asks the platform who the person of an access token is, and which of our scopes the token carries. */
final class CheckTokenIntrospector implements OpaqueTokenIntrospector {

    // As agreed with the platform. The key encryption is the alg of the private key.
    private static final JWSAlgorithm SIGNATURE = JWSAlgorithm.ES256;
    private static final EncryptionMethod CONTENT_ENCRYPTION = EncryptionMethod.A256GCM;

    private final RestClient http;
    private final DefaultJWTProcessor<SecurityContext> answers = new DefaultJWTProcessor<>();
    private final String realm;
    private final String clientId;
    private final String clientSecret;
    private final List<JWK> privateKeys = new ArrayList<>();

    /**
     * @param realm the realm URL without a slash at its end
     * @param privateKeyFiles while you change keys, both keys
     */
    CheckTokenIntrospector(String realm, String clientId, String clientSecret, String... privateKeyFiles)
            throws IOException, ParseException {
        this.realm = realm;
        this.clientId = clientId;
        this.clientSecret = clientSecret;
        for (String file : privateKeyFiles) {
            privateKeys.add(JWK.parse(Files.readString(Path.of(file))));
        }
        JdkClientHttpRequestFactory requests =
                new JdkClientHttpRequestFactory(HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build());
        requests.setReadTimeout(Duration.ofSeconds(10));
        http = RestClient.builder().requestFactory(requests).build();
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

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        Map<String, Object> introspection = check(token);
        if (!Boolean.TRUE.equals(introspection.get("active"))) {
            throw new BadOpaqueTokenException("The token is not active");
        }
        // Not acr, which a person's token can lack too.
        if (introspection.get("family_name") == null) {
            throw new BadOpaqueTokenException("The token belongs to no person");
        }
        if (introspection.get("cnf") != null) {
            throw new BadOpaqueTokenException("The token is bound to a key, and this program checks no proof of it");
        }
        // Spring Security expects these two as Instant.
        for (String time : List.of("iat", "exp")) {
            introspection.computeIfPresent(time, (name, seconds) -> Instant.ofEpochSecond(((Number) seconds).longValue()));
        }
        List<GrantedAuthority> scopes = Stream.of(((String) introspection.get("scope")).split(" "))
                .filter(scope -> !scope.isEmpty())
                .<GrantedAuthority>map(scope -> new SimpleGrantedAuthority("SCOPE_" + scope))
                .toList();
        return new OAuth2IntrospectionAuthenticatedPrincipal((String) introspection.get("sub"), introspection, scopes);
    }

    private Map<String, Object> check(String token) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("client_id", clientId);
        form.add("client_secret", clientSecret);
        form.add("token", token);
        try {
            String body = http.post()
                    .uri(realm + "/api/v2/checktoken")
                    .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                    .body(form)
                    .retrieve()
                    .body(String.class);
            if (body == null) {
                throw new BadJOSEException("The answer is empty");
            }
            EncryptedJWT answer = EncryptedJWT.parse(body);
            // Without this check, the processor would accept a JWE without a signature inside, which anybody can make.
            if (!"JWT".equals(answer.getHeader().getContentType())) {
                throw new BadJOSEException("The answer is not signed");
            }
            JWTClaimsSet claims = answers.process(answer, null);
            Duration age = Duration.between(claims.getIssueTime().toInstant(), Instant.now());
            if (age.abs().compareTo(Duration.ofMinutes(1)) > 0) {
                throw new BadJOSEException("The answer was made at another time");
            }
            return new HashMap<>(claims.getJSONObjectClaim("token_introspection"));
        } catch (RestClientException | ParseException | BadJOSEException | JOSEException e) {
            throw new NoAnswerException(e);
        }
    }

    /** Finds the key that the header of the answer names. While you change keys there are two. */
    private Key privateKey(JWEHeader header) throws KeySourceException {
        try {
            for (JWK key : privateKeys) {
                if (Objects.equals(key.getKeyID(), header.getKeyID())
                        && header.getAlgorithm().equals(key.getAlgorithm())
                        && header.getEncryptionMethod().equals(CONTENT_ENCRYPTION)) {
                    return ((AsymmetricJWK) key).toPrivateKey();
                }
            }
        } catch (JOSEException e) {
            throw new KeySourceException("A private key cannot be used", e);
        }
        throw new KeySourceException("No private key for " + header);
    }

    /** The token could not be checked. That says nothing about the token. */
    static final class NoAnswerException extends AuthenticationException {

        private static final long serialVersionUID = 1;

        NoAnswerException(Exception cause) {
            super("The token could not be checked: " + cause.getMessage(), cause);
        }
    }
}
