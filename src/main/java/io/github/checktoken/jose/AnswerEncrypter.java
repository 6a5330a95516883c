package io.github.checktoken.jose;

import java.security.interfaces.RSAPublicKey;

import org.keycloak.crypto.KeyType;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.Curve;

/** Encrypts a signed answer: a JWE that only the data provider can read (RFC 7516, RFC 7519 section 5.2). */
public final class AnswerEncrypter {

    private final KeyWrapper key;
    private final JWEHeader header;

    /**
     * @param key the data provider's public key
     * @param algorithm one of {@link JoseAlgorithms#KEY_MANAGEMENT} that fits the type of the key
     * @param encryption one of {@link JoseAlgorithms#CONTENT_ENCRYPTION}
     */
    public AnswerEncrypter(KeyWrapper key, String algorithm, String encryption) {
        this.key = key;
        this.header = new JWEHeader.Builder(JWEAlgorithm.parse(algorithm), EncryptionMethod.parse(encryption))
                .contentType("JWT")
                .keyID(key.getKid())
                .build();
    }

    /**
     * @param jws the signed answer
     * @return a JWE in compact serialization; its {@code kid} is that of the key, and absent if the key has none
     */
    public String encrypt(String jws) {
        JWEObject jwe = new JWEObject(header, new Payload(jws));
        try {
            jwe.encrypt(encrypter());
        } catch (JOSEException e) {
            throw new IllegalStateException("The answer could not be encrypted", e);
        }
        return jwe.serialize();
    }

    private JWEEncrypter encrypter() throws JOSEException {
        return KeyType.RSA.equals(key.getType())
                ? new RSAEncrypter((RSAPublicKey) key.getPublicKey())
                : new KeyAgreementEncrypter(Curve.parse(key.getCurve()), key.getPublicKey());
    }
}
