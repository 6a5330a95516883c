package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import java.util.Optional;
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
import org.jboss.logging.Logger;

/**
 * Encrypts signed answers to one key: JWEs that only the data provider can read (RFC 7516, RFC 7519 section 5.2). It is
 * kept with the key, and any number of threads may use it.
 */
public final class AnswerEncrypter {

    private static final Logger logger = Logger.getLogger(AnswerEncrypter.class);

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
        this(key, algorithm, CryptoProviders.chosen());
    }

    AnswerEncrypter(KeyWrapper key, String algorithm, CryptoProviders providers) {
        this.key = key;
        this.algorithm = JWEAlgorithm.parse(algorithm);
        try {
            this.encrypter = encrypter(providers.find(isRsa() ? algorithm : key.getCurve()));
        } catch (JOSEException | GeneralSecurityException e) {
            throw new IllegalStateException("The key cannot be used", e);
        }
    }

    /** @return the one of the JVM if the chosen provider rejects this key, so that all nodes answer alike */
    private JWEEncrypter encrypter(Optional<Provider> chosen) throws JOSEException, GeneralSecurityException {
        if (chosen.isPresent()) {
            try {
                JWEEncrypter encrypter = make(chosen);
                encrypter.encrypt(header(EncryptionMethod.A128GCM.getName()), new byte[0], new byte[0]);
                return encrypter;
            } catch (JOSEException | GeneralSecurityException | RuntimeException e) {
                logger.debugf(
                        "%s does not encrypt to a key: %s",
                        chosen.get().getName(), e.getClass().getName());
            }
        }
        return make(Optional.empty());
    }

    private JWEEncrypter make(Optional<Provider> provider) throws JOSEException, GeneralSecurityException {
        JWEEncrypter encrypter = isRsa()
                ? new RsaOaepOperation(algorithm).encrypter((RSAPublicKey) key.getPublicKey(), provider)
                : new KeyAgreementEncrypter(Curve.parse(key.getCurve()), key.getPublicKey(), provider);
        encrypter.getJCAContext().setSecureRandom(RANDOM);
        return encrypter;
    }

    private boolean isRsa() {
        return KeyType.RSA.equals(key.getType());
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
