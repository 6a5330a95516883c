package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import javax.crypto.Cipher;

import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.crypto.RSAEncrypter;

/**
 * Does once for each key what the JVM would do again at each answer: finds the provider that encrypts to it, and converts
 * the key to that provider's class.
 */
final class RsaProvider {

    /**
     * By JWE {@code alg} (RFC 7518 section 4.3, and the IANA registry for SHA-384 and SHA-512). {@link JoseAlgorithms}
     * says why RSA-OAEP is among them, which nimbus has deprecated.
     */
    @SuppressWarnings("deprecation")
    private static final Map<JWEAlgorithm, String> TRANSFORMATIONS = Map.of(
            JWEAlgorithm.RSA_OAEP, "RSA/ECB/OAEPWithSHA-1AndMGF1Padding",
            JWEAlgorithm.RSA_OAEP_256, "RSA/ECB/OAEPWithSHA-256AndMGF1Padding",
            JWEAlgorithm.RSA_OAEP_384, "RSA/ECB/OAEPWithSHA-384AndMGF1Padding",
            JWEAlgorithm.RSA_OAEP_512, "RSA/ECB/OAEPWithSHA-512AndMGF1Padding");

    private RsaProvider() {}

    static RSAEncrypter encrypter(RSAPublicKey key, JWEAlgorithm algorithm) throws GeneralSecurityException {
        Provider provider = provider(key, TRANSFORMATIONS.get(algorithm));
        RSAEncrypter encrypter = new RSAEncrypter(converted(key, provider));
        // nimbus takes the parameters of OAEP from the same provider. Corretto's, for example, does not have them.
        if (provider.getService("AlgorithmParameters", "OAEP") != null) {
            encrypter.getJCAContext().setKeyEncryptionProvider(provider);
        }
        return encrypter;
    }

    private static RSAPublicKey converted(RSAPublicKey key, Provider provider) throws GeneralSecurityException {
        return provider.getService("KeyFactory", "RSA") == null
                ? key
                : (RSAPublicKey) KeyFactory.getInstance("RSA", provider).translateKey(key);
    }

    private static Provider provider(RSAPublicKey key, String transformation) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation);
        cipher.init(Cipher.WRAP_MODE, key);
        return cipher.getProvider();
    }
}
