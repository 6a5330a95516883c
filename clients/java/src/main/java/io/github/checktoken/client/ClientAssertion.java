package io.github.checktoken.client;

import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

/** Authenticates by private_key_jwt (RFC 7523), with a new assertion for each call. */
record ClientAssertion(String issuer, String clientId, JWK key) implements Supplier<Map<String, String>> {

    private static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final int LIFETIME_SECONDS = 60;

    @Override
    public Map<String, String> get() {
        JWSHeader header = new JWSHeader.Builder(
                        JWSAlgorithm.parse(key.getAlgorithm().getName()))
                .keyID(key.getKeyID())
                .build();
        Instant now = Instant.now();
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(clientId)
                .subject(clientId)
                .audience(issuer)
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(LIFETIME_SECONDS)))
                .build();
        SignedJWT assertion = new SignedJWT(header, claims);
        try {
            assertion.sign(new DefaultJWSSignerFactory().createJWSSigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException("The key cannot sign assertions", e);
        }
        return Map.of("client_id", clientId, "client_assertion_type", TYPE, "client_assertion", assertion.serialize());
    }

    @Override
    public String toString() {
        return "ClientAssertion";
    }
}
