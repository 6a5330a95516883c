package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.Provider;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWECryptoParts;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;

/** Encrypting a content key with RSA-OAEP and one hash. */
record RsaOaepOperation(JWEAlgorithm algorithm) implements AnswerOperation {

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

    static final List<RsaOaepOperation> ALL = JoseAlgorithms.KEY_MANAGEMENT.stream()
            .map(JWEAlgorithm::parse)
            .filter(TRANSFORMATIONS::containsKey)
            .map(RsaOaepOperation::new)
            .toList();

    @Override
    public String joseName() {
        return algorithm.getName();
    }

    /** Decrypts with the JVM's provider what was encrypted with the other one. */
    @Override
    public boolean works(Provider other, KeyPair rsa) throws GeneralSecurityException, JOSEException {
        JWEHeader header = new JWEHeader(algorithm, EncryptionMethod.A128GCM);
        byte[] text = {1, 2, 3};
        byte[] aad = {4};
        JWECryptoParts parts =
                encrypter((RSAPublicKey) rsa.getPublic(), Optional.of(other)).encrypt(header, text, aad);
        byte[] decrypted = new RSADecrypter(rsa.getPrivate(), null, true)
                .decrypt(
                        header,
                        parts.getEncryptedKey(),
                        parts.getInitializationVector(),
                        parts.getCipherText(),
                        parts.getAuthenticationTag(),
                        aad);
        return Arrays.equals(text, decrypted);
    }

    @Override
    public boolean isMadeByTheJvmsOwn() throws GeneralSecurityException {
        return cipher().getProvider().getName().equals("SunJCE");
    }

    /**
     * Does once for each key what the JVM would do again at each answer: finds the provider that encrypts to it, and
     * translates the key.
     *
     * @param chosen empty if the JVM decides
     */
    RSAEncrypter encrypter(RSAPublicKey key, Optional<Provider> chosen) throws GeneralSecurityException {
        Provider provider = chosen.isPresent() ? chosen.get() : jvmsProvider(key);
        Key translated = chosen.isEmpty() && provider.getService("KeyFactory", "RSA") == null
                ? key
                : AnswerOperation.translate(key, "RSA", provider);
        RSAEncrypter encrypter = new RSAEncrypter((RSAPublicKey) translated);
        // nimbus takes the parameters of OAEP from the same provider. Corretto's, for example, does not have them.
        if (chosen.isPresent() || provider.getService("AlgorithmParameters", "OAEP") != null) {
            encrypter.getJCAContext().setKeyEncryptionProvider(provider);
        }
        return encrypter;
    }

    private Provider jvmsProvider(RSAPublicKey key) throws GeneralSecurityException {
        Cipher cipher = cipher();
        cipher.init(Cipher.WRAP_MODE, key);
        return cipher.getProvider();
    }

    private Cipher cipher() throws GeneralSecurityException {
        return Cipher.getInstance(TRANSFORMATIONS.get(algorithm));
    }
}
