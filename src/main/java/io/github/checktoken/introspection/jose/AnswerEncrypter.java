package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.keycloak.crypto.KeyType;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.jwk.Curve;

/**
 * Encrypts signed answers to one key: JWEs that only the data provider can read (RFC 7516, RFC 7519 section 5.2). It is
 * kept with the key, and any number of threads may use it.
 */
public final class AnswerEncrypter {

    /** For all answers, because nimbus would otherwise make new ones for each. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyWrapper key;
    private final JWEAlgorithm algorithm;
    private final JWEEncrypter encrypter;

    /** By content encryption. To encode a header takes as long as to encrypt the answer. */
    private final Map<String, JWEHeader> headers = new ConcurrentHashMap<>();

    /**
     * @param key the data provider's public key
     * @param algorithm one of {@link JoseAlgorithms#KEY_MANAGEMENT} that fits the type of the key
     * @throws IllegalStateException if nothing can be encrypted to the key
     */
    public AnswerEncrypter(KeyWrapper key, String algorithm) {
        this.key = key;
        this.algorithm = JWEAlgorithm.parse(algorithm);
        try {
            this.encrypter = KeyType.RSA.equals(key.getType())
                    ? RsaProvider.encrypter((RSAPublicKey) key.getPublicKey(), this.algorithm)
                    : new KeyAgreementEncrypter(Curve.parse(key.getCurve()), key.getPublicKey());
        } catch (JOSEException | GeneralSecurityException e) {
            throw new IllegalStateException("The key cannot be used", e);
        }
        encrypter.getJCAContext().setSecureRandom(RANDOM);
    }

    public KeyWrapper key() {
        return key;
    }

    /**
     * @param jws the signed answer
     * @param encryption one of {@link JoseAlgorithms#CONTENT_ENCRYPTION}
     * @return a JWE in compact serialization; its {@code kid} is that of the key, and absent if the key has none
     * @throws IllegalStateException if nothing can be encrypted to the key
     */
    public String encrypt(String jws, String encryption) {
        JWEObject jwe = new JWEObject(headers.computeIfAbsent(encryption, this::header), new Payload(jws));
        try {
            jwe.encrypt(encrypter);
        } catch (JOSEException e) {
            throw new IllegalStateException("The answer could not be encrypted", e);
        }
        return jwe.serialize();
    }

    private JWEHeader header(String encryption) {
        return encoded(new JWEHeader.Builder(algorithm, EncryptionMethod.parse(encryption))
                .contentType("JWT")
                .keyID(key.getKid())
                .build());
    }

    /** @return the same header, which nimbus does not encode again each time it reads it */
    static JWEHeader encoded(JWEHeader header) {
        return new JWEHeader.Builder(header)
                .parsedBase64URL(header.toBase64URL())
                .build();
    }
}
