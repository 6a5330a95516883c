package io.github.checktoken.introspection.jose;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Optional;
import java.util.stream.Stream;

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
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Whoever makes the key agreement, nimbus decrypts with its own. */
class KeyAgreementEncrypterTest {

    private static final String TEXT = "the signed answer";

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("providersAndNistCurves")
    void nimbusDecryptsWhatWasEncryptedOnANistCurve(Maker maker, Curve curve) throws Exception {
        ECKey recipient = new ECKeyGenerator(curve).generate();
        for (JWEAlgorithm algorithm : JWEAlgorithm.Family.ECDH_ES) {
            JWEObject jwe =
                    encrypt(algorithm, new KeyAgreementEncrypter(curve, recipient.toECPublicKey(), maker.provider()));
            assertEquals(TEXT, decrypt(jwe, new ECDHDecrypter(recipient)));
        }
    }

    @ParameterizedTest
    @MethodSource("providersForX25519")
    void nimbusDecryptsWhatWasEncryptedOnX25519(Maker maker) throws Exception {
        OctetKeyPair recipient = new OctetKeyPairGenerator(Curve.X25519).generate();
        PublicKey key = X25519.decode(recipient.getDecodedX());
        for (JWEAlgorithm algorithm : JWEAlgorithm.Family.ECDH_ES) {
            JWEObject jwe = encrypt(algorithm, new KeyAgreementEncrypter(Curve.X25519, key, maker.provider()));
            assertEquals(TEXT, decrypt(jwe, new X25519Decrypter(recipient)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyAnswerHasAnEphemeralKeyOfItsOwn(Maker maker) throws Exception {
        ECKey recipient = new ECKeyGenerator(Curve.P_256).generate();
        KeyAgreementEncrypter encrypter =
                new KeyAgreementEncrypter(Curve.P_256, recipient.toECPublicKey(), maker.provider());

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
    @ParameterizedTest
    @MethodSource("providersForX25519")
    void nothingIsEncryptedToAnX25519PointOfSmallOrder(Maker maker) throws Exception {
        KeyAgreementEncrypter encrypter =
                new KeyAgreementEncrypter(Curve.X25519, X25519.decode(new byte[32]), maker.provider());
        assertThrows(JOSEException.class, () -> encrypt(JWEAlgorithm.ECDH_ES, encrypter));
    }

    private enum Maker {
        JVM(null),
        BOUNCY_CASTLE(new BouncyCastleProvider()),
        CONSCRYPT(new OpenSSLProvider());

        private final Provider provider;

        Maker(Provider provider) {
            this.provider = provider;
        }

        Optional<Provider> provider() {
            return Optional.ofNullable(provider);
        }
    }

    private static Stream<Arguments> providersAndNistCurves() {
        return Stream.of(Maker.values())
                .flatMap(maker ->
                        Stream.of(Curve.P_256, Curve.P_384, Curve.P_521).map(curve -> Arguments.of(maker, curve)));
    }

    private static Stream<Maker> providersForX25519() {
        return Stream.of(Maker.JVM, Maker.CONSCRYPT);
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
