package io.github.checktoken.examples;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

/** An answer of checktoken before it is signed and encrypted. Without changes it is right. */
final class AnswerDraft {

    static final String TYPE = "token-introspection+jwt";

    private static final Map<String, Object> INTROSPECTION = Map.ofEntries(
            Map.entry("active", true),
            Map.entry("aud", "sp-town"),
            Map.entry("client_id", "sp-town"),
            Map.entry("sub", "person"),
            Map.entry("iat", 1795258568),
            Map.entry("exp", 4102444800L),
            Map.entry("acr", "eidas1"),
            Map.entry("scope", "tax_income"),
            Map.entry("family_name", "Moreau"),
            Map.entry("birthdate", "1988-03-14"));

    /** A parameter that nobody knows, so that a reader has to reject the JWS or JWE that needs it (RFC 7515, 4.1.11). */
    private static final Set<String> CRITICAL = Set.of("example");

    String issuer;
    String audience;
    Instant issuedAt = Instant.now();
    String type = TYPE;
    JWSAlgorithm signature = JWSAlgorithm.ES256;
    String signatureKid;
    JWSSigner signer;
    JWEAlgorithm keyEncryption;
    EncryptionMethod contentEncryption = EncryptionMethod.A256GCM;
    boolean criticalInJws;
    boolean criticalInJwe;

    /** @return what the endpoint would answer */
    String signedAndEncrypted(JWK recipient) throws JOSEException {
        return encrypted(signed(), recipient);
    }

    /** @return a JWE whose header says that there is a JWT inside */
    String encrypted(String jwt, JWK recipient) throws JOSEException {
        return encrypted(new Payload(jwt), "JWT", recipient);
    }

    String signed() throws JOSEException {
        if (signer == null) {
            return new PlainJWT(claims()).serialize();
        }
        JWSHeader.Builder header = new JWSHeader.Builder(signature).keyID(signatureKid);
        if (type != null) {
            header.type(new JOSEObjectType(type));
        }
        if (criticalInJws) {
            header.criticalParams(CRITICAL).customParam("example", true);
        }
        SignedJWT jwt = new SignedJWT(header.build(), claims());
        jwt.sign(signer);
        return jwt.serialize();
    }

    /** @return the claims in a JWE that anybody can make who knows the public key */
    String encrypted(JWK recipient) throws JOSEException {
        return encrypted(new Payload(claims().toJSONObject()), null, recipient);
    }

    private String encrypted(Payload payload, String contentType, JWK recipient) throws JOSEException {
        JWEHeader.Builder header = new JWEHeader.Builder(keyEncryption, contentEncryption)
                .contentType(contentType)
                .keyID(recipient.getKeyID());
        if (criticalInJwe) {
            header.criticalParams(CRITICAL).customParam("example", true);
        }
        JWEObject jwe = new JWEObject(header.build(), payload);
        jwe.encrypt(
                recipient instanceof RSAKey rsa
                        ? new RSAEncrypter(rsa.toPublicJWK())
                        : new ECDHEncrypter(((ECKey) recipient).toPublicJWK()));
        return jwe.serialize();
    }

    void age(Duration age) {
        issuedAt = Instant.now().minus(age);
    }

    static Map<String, Object> introspection() {
        return INTROSPECTION;
    }

    private JWTClaimsSet claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(audience)
                .issueTime(issuedAt == null ? null : Date.from(issuedAt))
                .claim("token_introspection", INTROSPECTION)
                .build();
    }
}
