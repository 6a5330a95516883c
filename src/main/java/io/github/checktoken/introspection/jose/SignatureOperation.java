package io.github.checktoken.introspection.jose;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;

import org.keycloak.crypto.JavaAlgorithm;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;

/** Signing and verifying with one JWS algorithm (RFC 7518 sections 3.3 to 3.5, RFC 8037 section 3.1). */
record SignatureOperation(String joseName) implements AnswerOperation {

    static final List<SignatureOperation> ALL =
            JoseAlgorithms.SIGNATURE.stream().map(SignatureOperation::new).toList();

    private static final byte[] SAMPLE = {1, 2, 3};
    private static final byte[] ANOTHER = {1, 2, 4};

    /** The JVM's provider and the other one verify what the other one has signed with its translation of a key. */
    @Override
    public boolean works(Provider other, KeyPair rsa) throws GeneralSecurityException, JOSEException {
        KeyPair pair = keyType().equals("RSA") ? rsa : generate();
        PrivateKey key = translate(pair.getPrivate(), other);
        PublicKey published = translate(pair.getPublic(), other);
        byte[] signature = sign(SAMPLE, key, other);
        return signsAs(key, pair.getPublic(), other)
                && verify(SAMPLE, signature, published, other)
                && !verify(ANOTHER, signature, published, other);
    }

    @SuppressWarnings("unchecked")
    <K extends Key> K translate(K key, Provider provider) throws GeneralSecurityException {
        return (K) AnswerOperation.translate(key, keyType(), provider);
    }

    /** @param published the key with which the JVM must be able to verify */
    boolean signsAs(PrivateKey key, PublicKey published, Provider provider)
            throws GeneralSecurityException, JOSEException {
        Signature verifier = verifier();
        verifier.initVerify(published);
        verifier.update(SAMPLE);
        return verifier.verify(sign(SAMPLE, key, provider));
    }

    /** @return the signature in the form of JWS, which for ECDSA is R and S side by side, each of full length */
    byte[] sign(byte[] data, PrivateKey key, Provider provider) throws GeneralSecurityException, JOSEException {
        Signature signer = instance(provider);
        signer.initSign(key);
        signer.update(data);
        return isEcdsa()
                ? ECDSA.transcodeSignatureToConcat(signer.sign(), ECDSA.getSignatureByteArrayLength(algorithm()))
                : signer.sign();
    }

    /** @param signature in the form of JWS */
    boolean verify(byte[] data, byte[] signature, PublicKey key, Provider provider)
            throws GeneralSecurityException, JOSEException {
        Signature verifier = instance(provider);
        verifier.initVerify(key);
        verifier.update(data);
        return isEcdsa()
                ? signature.length == ECDSA.getSignatureByteArrayLength(algorithm())
                        && verifier.verify(ECDSA.transcodeSignatureToDER(signature))
                : verifier.verify(signature);
    }

    private Signature instance(Provider provider) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(javaName(), provider);
        if (isPss()) {
            signature.setParameter(pss());
        }
        return signature;
    }

    /** The JVM does not know PSS by Keycloak's names, so BouncyCastle makes it. */
    @Override
    public boolean isMadeByTheJvmsOwn() throws GeneralSecurityException {
        String own = isPss() ? CryptoProviders.BOUNCY_CASTLE : keyType().equals("RSA") ? "SunRsaSign" : "SunEC";
        return Signature.getInstance(javaName()).getProvider().getName().equals(own);
    }

    private Signature verifier() throws GeneralSecurityException {
        if (isPss()) {
            Signature verifier = Signature.getInstance("RSASSA-PSS");
            verifier.setParameter(pss());
            return verifier;
        }
        return Signature.getInstance(isEcdsa() ? javaName() + "inP1363Format" : javaName());
    }

    private KeyPair generate() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(keyType());
        if (isEcdsa()) {
            Curve curve = Curve.forJWSAlgorithm(algorithm()).iterator().next();
            generator.initialize(new ECGenParameterSpec(curve.getStdName()));
        }
        return generator.generateKeyPair();
    }

    /** RFC 7518 section 3.5: the same hash twice, and a salt of its length. */
    private PSSParameterSpec pss() {
        int bits = Integer.parseInt(joseName.substring(2));
        String hash = "SHA-" + bits;
        return new PSSParameterSpec(
                hash, "MGF1", new MGF1ParameterSpec(hash), bits / 8, PSSParameterSpec.TRAILER_FIELD_BC);
    }

    private String keyType() {
        return isEcdsa() ? "EC" : JWSAlgorithm.EdDSA.equals(algorithm()) ? "Ed25519" : "RSA";
    }

    /** @return the name that Keycloak uses, too */
    private String javaName() {
        return JavaAlgorithm.getJavaAlgorithm(joseName);
    }

    private JWSAlgorithm algorithm() {
        return JWSAlgorithm.parse(joseName);
    }

    private boolean isEcdsa() {
        return joseName.startsWith("ES");
    }

    private boolean isPss() {
        return joseName.startsWith("PS");
    }
}
