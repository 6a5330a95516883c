package io.github.checktoken.support.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;

/** The JWT with which a client proves that it has a key or a secret (RFC 7523 section 2.2). */
public final class ClientAssertion {

    private static final Duration LIFETIME = Duration.ofSeconds(30);

    private final Map<String, Object> claims = new LinkedHashMap<>();

    /** @param audience Keycloak's name, which is the realm URL */
    public ClientAssertion(String clientId, String audience) {
        long now = Instant.now().getEpochSecond();
        with("iss", clientId)
                .with("sub", clientId)
                .with("aud", audience)
                .with("jti", UUID.randomUUID().toString())
                .with("iat", now)
                .with("exp", now + LIFETIME.toSeconds());
    }

    public ClientAssertion with(String claim, Object value) {
        claims.put(claim, value);
        return this;
    }

    /** {@code private_key_jwt}, with the key's own {@code alg} and {@code kid}. */
    public Map<String, String> signedBy(JWK key) {
        try {
            JWSAlgorithm algorithm = JWSAlgorithm.parse(key.getAlgorithm().getName());
            return form(
                    new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(),
                    new DefaultJWSSignerFactory().createJWSSigner(key, algorithm));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@code client_secret_jwt} */
    public Map<String, String> signedBy(String secret) {
        try {
            return form(new JWSHeader(JWSAlgorithm.HS256), new MACSigner(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the parameters of a request */
    private Map<String, String> form(JWSHeader header, JWSSigner signer) throws JOSEException {
        JWSObject jws = new JWSObject(header, new Payload(claims));
        jws.sign(signer);
        return Map.of(
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion",
                jws.serialize());
    }
}
