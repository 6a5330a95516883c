package io.github.checktoken.introspection.token;

import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.oauth2.sdk.assertions.jwt.JWTAssertionDetails;
import com.nimbusds.oauth2.sdk.assertions.jwt.JWTAssertionFactory;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.JWTID;
import com.nimbusds.oauth2.sdk.id.Subject;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;

/** An identity provider for one test. Nobody signs in there; it signs assertions for one person (RFC 7523). */
public final class AssertionIdentityProvider implements AutoCloseable {

    private final Federation federation;
    private final String alias = "vouching-" + UUID.randomUUID();
    private final String issuer = "https://" + alias + ".example.org";
    private final String subject = UUID.randomUUID().toString();
    private final RSAKey key;

    public AssertionIdentityProvider(Federation federation, String username) {
        this.federation = federation;
        AdminApi admin = federation.admin();
        try {
            key = new RSAKeyGenerator(2048).keyID(alias).generate();
            admin.create(
                    "/identity-provider/instances",
                    Map.of("alias", alias, "providerId", "oidc", "enabled", true, "config", config()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        admin.post(
                admin.user(username) + "/federated-identity/" + alias,
                Map.of("identityProvider", alias, "userId", subject, "userName", username));
    }

    public String alias() {
        return alias;
    }

    public String assertion() {
        Instant now = Instant.now();
        JWTAssertionDetails claims = new JWTAssertionDetails(
                new Issuer(issuer),
                new Subject(subject),
                new Audience(federation.url()).toSingleAudienceList(),
                Date.from(now.plusSeconds(60)),
                null,
                Date.from(now),
                new JWTID(),
                null);
        try {
            return JWTAssertionFactory.create(claims, JWSAlgorithm.RS256, key.toPrivateKey(), alias, null, null, null)
                    .serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        federation.admin().delete("/identity-provider/instances/" + alias);
    }

    private Map<String, String> config() throws JOSEException {
        return Map.of(
                "issuer",
                issuer,
                "authorizationUrl",
                issuer + "/authorize",
                "tokenUrl",
                issuer + "/token",
                "clientId",
                "federation",
                "clientSecret",
                "secret",
                "validateSignature",
                "true",
                "useJwksUrl",
                "false",
                "publicKeySignatureVerifier",
                Base64.getEncoder().encodeToString(key.toPublicKey().getEncoded()),
                "publicKeySignatureVerifierKeyId",
                alias,
                "jwtAuthorizationGrantEnabled",
                "true");
    }
}
