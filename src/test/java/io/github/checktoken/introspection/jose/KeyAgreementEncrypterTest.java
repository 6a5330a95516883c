package io.github.checktoken.introspection.jose;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.X25519Decrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Without Keycloak, the encrypter uses the JDK's key agreement. These tests decrypt with nimbus' own. */
class KeyAgreementEncrypterTest {

    private static final String TEXT = "the signed answer";

    @ParameterizedTest
    @ValueSource(strings = {"P-256", "P-384", "P-521"})
    void nimbusDecryptsWhatWasEncryptedOnANistCurve(String curve) throws Exception {
        ECKey recipient = new ECKeyGenerator(Curve.parse(curve)).generate();
        for (JWEAlgorithm algorithm : JWEAlgorithm.Family.ECDH_ES) {
            JWEObject jwe =
                    encrypt(algorithm, new KeyAgreementEncrypter(recipient.getCurve(), recipient.toECPublicKey()));
            assertEquals(TEXT, decrypt(jwe, new ECDHDecrypter(recipient)));
        }
    }

    @Test
    void nimbusDecryptsWhatWasEncryptedOnX25519() throws Exception {
        OctetKeyPair recipient = new OctetKeyPairGenerator(Curve.X25519).generate();
        PublicKey key = X25519.decode(recipient.getDecodedX());
        for (JWEAlgorithm algorithm : JWEAlgorithm.Family.ECDH_ES) {
            JWEObject jwe = encrypt(algorithm, new KeyAgreementEncrypter(Curve.X25519, key));
            assertEquals(TEXT, decrypt(jwe, new X25519Decrypter(recipient)));
        }
    }

    @Test
    void everyAnswerHasAnEphemeralKeyOfItsOwn() throws Exception {
        ECKey recipient = new ECKeyGenerator(Curve.P_256).generate();
        KeyAgreementEncrypter encrypter = new KeyAgreementEncrypter(Curve.P_256, recipient.toECPublicKey());

        assertNotEquals(
                encrypt(JWEAlgorithm.ECDH_ES, encrypter).getHeader().getEphemeralPublicKey(),
                encrypt(JWEAlgorithm.ECDH_ES, encrypter).getHeader().getEphemeralPublicKey());
    }

    /** One key in 256 begins with a zero byte, and one ends with one. A big integer loses it at one of the two ends. */
    @Test
    void zeroBytesAtBothEndsOfAnX25519KeySurvive() throws GeneralSecurityException {
        for (BigInteger u : new BigInteger[] {
            BigInteger.valueOf(9),
            BigInteger.valueOf(9).shiftLeft(8),
            BigInteger.valueOf(9).shiftLeft(16),
            BigInteger.valueOf(0x80).shiftLeft(232),
            BigInteger.valueOf(0x7f).shiftLeft(240)
        }) {
            PublicKey key =
                    KeyFactory.getInstance("X25519").generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
            byte[] raw = X25519.encode(key);

            assertEquals(32, raw.length);
            assertEquals(u, new BigInteger(1, reversed(raw)));
            assertArrayEquals(raw, X25519.encode(X25519.decode(raw)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void x25519KeyOfAnotherLengthIsRefused(int length) {
        assertThrows(InvalidKeyException.class, () -> X25519.decode(new byte[length]));
    }

    /** With such a point, every key agreement results in zero (RFC 7748 section 6.1). */
    @Test
    void nothingIsEncryptedToAnX25519PointOfSmallOrder() throws Exception {
        KeyAgreementEncrypter encrypter = new KeyAgreementEncrypter(Curve.X25519, X25519.decode(new byte[32]));
        assertThrows(JOSEException.class, () -> encrypt(JWEAlgorithm.ECDH_ES, encrypter));
    }

    private static JWEObject encrypt(JWEAlgorithm algorithm, KeyAgreementEncrypter encrypter) throws JOSEException {
        JWEObject jwe = new JWEObject(new JWEHeader(algorithm, EncryptionMethod.A128GCM), new Payload(TEXT));
        jwe.encrypt(encrypter);
        return jwe;
    }

    private static String decrypt(JWEObject jwe, JWEDecrypter decrypter) throws Exception {
        JWEObject received = JWEObject.parse(jwe.serialize());
        received.decrypt(decrypter);
        return received.getPayload().toString();
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[bytes.length - 1 - i] = bytes[i];
        }
        return reversed;
    }
}
