package io.github.checktoken.introspection.jose;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.Map;

import org.keycloak.crypto.Algorithm;
import org.keycloak.crypto.AsymmetricSignatureSignerContext;
import org.keycloak.crypto.KeyType;
import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A key in an HSM signs inside the device. Java only has a handle, without the key's numbers and without an encoding.
 */
class AnswerSignerTest {

    private final Provider device = new Device();
    private KeyPair pair;

    @BeforeEach
    void plugIn() throws JOSEException {
        pair = new RSAKeyGenerator(2048).generate().toKeyPair();
        Security.addProvider(device);
    }

    @AfterEach
    void unplug() {
        Security.removeProvider(device.getName());
    }

    @ParameterizedTest
    @CsvSource({"1, 1024", "1024, 1024", "1025, 1536", "1536, 1536", "4000, 4096"})
    void payloadIsAsLongAsWholeBlocks(int length, int padded) {
        byte[] json = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
        assertEquals(
                "x".repeat(length) + " ".repeat(padded - length),
                new String(AnswerSigner.padded(json), StandardCharsets.US_ASCII));
    }

    @Test
    void privateKeyIsNeverRead() throws ParseException, JOSEException {
        Handle handle = new Handle(pair.getPrivate());
        assertNull(handle.getEncoded());

        String jws = new AnswerSigner(new AsymmetricSignatureSignerContext(key(handle, pair.getPublic())))
                .sign(Map.of("token_introspection", Map.of("active", false)));

        JWSObject signed = JWSObject.parse(jws);
        assertEquals("hsm", signed.getHeader().getKeyID());
        assertTrue(signed.verify(new RSASSAVerifier((RSAPublicKey) pair.getPublic())));
    }

    private static KeyWrapper key(PrivateKey privateKey, PublicKey publicKey) {
        KeyWrapper key = new KeyWrapper();
        key.setKid("hsm");
        key.setUse(KeyUse.SIG);
        key.setType(KeyType.RSA);
        key.setAlgorithm(Algorithm.RS256);
        key.setPrivateKey(privateKey);
        key.setPublicKey(publicKey);
        return key;
    }

    /** Looks like the key object that SunPKCS11 returns for a sensitive key. */
    private record Handle(PrivateKey inTheDevice) implements PrivateKey {
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
            return null;
        }
    }

    /** A security provider that signs only with its own handles. Java uses it because the others reject the key. */
    private static final class Device extends Provider {
        Device() {
            super("Device", "1", "signs with handles");
            put("Signature.SHA256withRSA", HandleSignature.class.getName());
            put("Signature.SHA256withRSA SupportedKeyClasses", Handle.class.getName());
        }
    }

    /** This class is public because the security framework creates it by its name. */
    public static final class HandleSignature extends SignatureSpi {

        private Signature signature;

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            if (!(key instanceof Handle handle)) {
                throw new InvalidKeyException("no handle");
            }
            try {
                signature = Signature.getInstance("SHA256withRSA", "SunRsaSign");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
            signature.initSign(handle.inTheDevice());
        }

        @Override
        protected void engineUpdate(byte b) throws SignatureException {
            signature.update(b);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
            signature.update(bytes, offset, length);
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            return signature.sign();
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            throw new InvalidKeyException("signs only");
        }

        @Override
        protected boolean engineVerify(byte[] bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            throw new UnsupportedOperationException();
        }
    }
}
