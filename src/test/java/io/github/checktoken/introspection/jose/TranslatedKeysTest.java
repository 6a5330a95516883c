package io.github.checktoken.introspection.jose;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.keycloak.crypto.AsymmetricSignatureSignerContext;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;
import org.keycloak.crypto.SignatureSignerContext;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TranslatedKeysTest {

    private static final Provider CONSCRYPT = new OpenSSLProvider();
    private static final Map<String, Object> ANSWER = Map.of("token_introspection", Map.of("active", false));

    private static final KeyPair RSA = rsa();

    private final TranslatedKeys keys = new TranslatedKeys();

    /** Keycloak's signer for PS256 needs it. */
    @BeforeEach
    void registerBouncyCastle() {
        Security.addProvider(new BouncyCastleProvider());
    }

    @AfterEach
    void removeBouncyCastle() {
        Security.removeProvider("BC");
    }

    private static List<String> algorithms() {
        return JoseAlgorithms.SIGNATURE;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void answerOfConscryptHasTheHeaderOfKeycloakAndAValidSignature(String algorithm) throws Exception {
        KeyWrapper key = key(algorithm, pair(algorithm));
        SignatureSignerContext keycloaks = new AsymmetricSignatureSignerContext(key);
        SignatureSignerContext signer = keys.signer(keycloaks, key, CONSCRYPT);

        String jws = new AnswerSigner(signer).sign(ANSWER);

        assertInstanceOf(TranslatedKeySigner.class, signer);
        assertEquals(header(new AnswerSigner(keycloaks).sign(ANSWER)), header(jws));
        assertEquals(keycloaks.getHashAlgorithm(), signer.getHashAlgorithm());
        assertTrue(isValid(jws, (PublicKey) key.getPublicKey()));
    }

    /** One R in 256 begins with a zero byte on P-256 and P-384, which DER leaves out. On P-521 it is every second. */
    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "ES512"})
    void ecdsaSignatureHasItsFullLengthIfItBeginsWithZero(String algorithm) throws Exception {
        KeyWrapper key = key(algorithm, pair(algorithm));
        SignatureSignerContext signer = keys.signer(new AsymmetricSignatureSignerContext(key), key, CONSCRYPT);
        int length = 2
                * ((Curve.forJWSAlgorithm(JWSAlgorithm.parse(algorithm))
                                        .iterator()
                                        .next()
                                        .toECParameterSpec()
                                        .getOrder()
                                        .bitLength()
                                + 7)
                        / 8);
        boolean rIsShort = false;
        boolean sIsShort = false;
        for (int i = 0; i < 10_000 && !(rIsShort && sIsShort); i++) {
            byte[] data = ("answer " + i).getBytes(StandardCharsets.US_ASCII);
            byte[] signature = signer.sign(data);
            assertEquals(length, signature.length);
            if (signature[0] == 0 && !rIsShort || signature[length / 2] == 0 && !sIsShort) {
                Signature verifier = Signature.getInstance("SHA" + algorithm.substring(2) + "withECDSAinP1363Format");
                verifier.initVerify((PublicKey) key.getPublicKey());
                verifier.update(data);
                assertTrue(verifier.verify(signature));
                rIsShort |= signature[0] == 0;
                sIsShort |= signature[length / 2] == 0;
            }
        }
        assertTrue(rIsShort && sIsShort);
    }

    /** Nor is its encoding asked for. */
    @Test
    void keyOfAnHsmStaysThere() throws Exception {
        assertStays(key("RS256", new KeyPair(pair("RS256").getPublic(), new Handle())));
    }

    @Test
    void keyThatConscryptCannotTranslateStays() throws Exception {
        KeyWrapper key = key("EdDSA", KeyPairGenerator.getInstance("Ed448").generateKeyPair());
        key.setCurve("Ed448");
        assertStays(key);
    }

    @Test
    void keyWithWhichConscryptDoesNotSignWhatTheRealmHasPublishedStays() throws Exception {
        assertStays(key(
                "ES256", new KeyPair(pair("ES256").getPublic(), pair("ES256").getPrivate())));
    }

    @Test
    void keyThatIsAlreadyConscryptsStays() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", CONSCRYPT);
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        assertStays(key("ES256", generator.generateKeyPair()));
    }

    @Test
    void signerOfAnotherExtensionStays() throws Exception {
        KeyWrapper key = key("ES256", pair("ES256"));
        SignatureSignerContext others = new SignerOfAnotherExtension(key);
        assertSame(others, keys.signer(others, key, CONSCRYPT));
    }

    /** A key provider may read the same key again for each session. */
    @Test
    void keyIsTranslatedOnce() throws Exception {
        KeyPair pair = pair("RS256");
        PrivateKey again = KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
        assertNotSame(again, pair.getPrivate());

        assertSame(translation(pair), translation(new KeyPair(pair.getPublic(), again)));
    }

    @Test
    void eachKeyHasItsOwnTranslation() throws Exception {
        assertNotSame(translation(pair("ES256")), translation(pair("ES256")));
    }

    @Test
    void translationIsForgottenWithTheKey() throws Exception {
        WeakReference<PrivateKey> translation = new WeakReference<>(translation(pair("ES256")));
        KeyPair another = pair("ES256");
        for (int i = 0; i < 50 && translation.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
            // The map removes what is gone when it is used.
            translation(another);
        }
        assertNull(translation.get());
    }

    private void assertStays(KeyWrapper key) {
        SignatureSignerContext keycloaks = new AsymmetricSignatureSignerContext(key);
        assertSame(keycloaks, keys.signer(keycloaks, key, CONSCRYPT));
    }

    private PrivateKey translation(KeyPair pair) {
        KeyWrapper key = key(pair.getPrivate().getAlgorithm().equals("RSA") ? "RS256" : "ES256", pair);
        return ((TranslatedKeySigner) keys.signer(new AsymmetricSignatureSignerContext(key), key, CONSCRYPT)).key();
    }

    private static boolean isValid(String jws, PublicKey key) throws Exception {
        JWSObject signed = JWSObject.parse(jws);
        if (key instanceof RSAPublicKey rsa) {
            return signed.verify(new RSASSAVerifier(rsa));
        }
        if (key instanceof ECPublicKey ec) {
            return signed.verify(new ECDSAVerifier(ec));
        }
        Signature verifier = Signature.getInstance("EdDSA");
        verifier.initVerify(key);
        verifier.update(signed.getSigningInput());
        return verifier.verify(signed.getSignature().decode());
    }

    private static String header(String jws) {
        return new String(Base64.getUrlDecoder().decode(jws.split("\\.")[0]), StandardCharsets.UTF_8);
    }

    private static KeyPair pair(String algorithm) throws Exception {
        JWSAlgorithm jws = JWSAlgorithm.parse(algorithm);
        if (JWSAlgorithm.Family.RSA.contains(jws)) {
            return RSA;
        }
        if (JWSAlgorithm.EdDSA.equals(jws)) {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(
                Curve.forJWSAlgorithm(jws).iterator().next().getStdName()));
        return generator.generateKeyPair();
    }

    private static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyWrapper key(String algorithm, KeyPair pair) {
        KeyWrapper key = new KeyWrapper();
        key.setKid("of the realm");
        key.setUse(KeyUse.SIG);
        key.setAlgorithm(algorithm);
        key.setPrivateKey(pair.getPrivate());
        key.setPublicKey(pair.getPublic());
        return key;
    }

    private static final class SignerOfAnotherExtension extends AsymmetricSignatureSignerContext {

        SignerOfAnotherExtension(KeyWrapper key) {
            super(key);
        }
    }

    /** Looks like the key object that SunPKCS11 returns for a sensitive key. */
    private static final class Handle implements PrivateKey {

        @Override
        public String getAlgorithm() {
            return "RSA";
        }

        @Override
        public String getFormat() {
            return null;
        }

        @Override
        public byte[] getEncoded() {
            throw new AssertionError("The key stays in the device");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("The device is not asked");
        }

        @Override
        public boolean equals(Object other) {
            throw new AssertionError("The device is not asked");
        }
    }
}
