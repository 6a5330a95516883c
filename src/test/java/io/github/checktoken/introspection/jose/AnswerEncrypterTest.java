package io.github.checktoken.introspection.jose;

import java.math.BigInteger;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import org.conscrypt.OpenSSLProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A data provider reads each answer, whether Java or native code has made it. */
class AnswerEncrypterTest {

    private static final String TEXT = "the signed answer";

    private static final CryptoProviders JAVA = new CryptoProviders();
    private static final CryptoProviders NATIVE = new CryptoProviders();

    private static KeyPair rsa;

    @BeforeAll
    static void findConscrypt() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        rsa = generator.generateKeyPair();
        NATIVE.useNative(new OpenSSLProvider(), rsa);
        assertTrue(NATIVE.find("RSA-OAEP-256").isPresent());
        assertTrue(NATIVE.find("P-256").isPresent());
    }

    /** Each algorithm at least once. The content is encrypted after the key, so not each with each. */
    private static Stream<Arguments> algorithms() {
        List<String> keys = JoseAlgorithms.KEY_MANAGEMENT;
        List<String> contents = JoseAlgorithms.CONTENT_ENCRYPTION;
        return Stream.of(JAVA, NATIVE)
                .flatMap(providers -> IntStream.range(0, keys.size())
                        .mapToObj(i -> Arguments.of(
                                providers == NATIVE ? "native" : "Java",
                                providers,
                                keys.get(i),
                                contents.get(i % contents.size()))));
    }

    @ParameterizedTest(name = "{0}, {2}, {3}")
    @MethodSource("algorithms")
    void nimbusDecryptsTheAnswer(String maker, CryptoProviders providers, String algorithm, String encryption)
            throws Exception {
        if (algorithm.startsWith("RSA")) {
            JWEObject jwe = encrypt(key("RSA", null, rsa.getPublic()), algorithm, encryption, providers);
            jwe.decrypt(new RSADecrypter(rsa.getPrivate()));
            assertEquals(TEXT, jwe.getPayload().toString());
        } else {
            ECKey recipient = new ECKeyGenerator(Curve.P_256).generate();
            JWEObject jwe = encrypt(key("EC", "P-256", recipient.toECPublicKey()), algorithm, encryption, providers);
            jwe.decrypt(new ECDHDecrypter(recipient));
            assertEquals(TEXT, jwe.getPayload().toString());
        }
    }

    /** Conscrypt takes public exponents of at most 33 bits. The node beside, without it, must not answer otherwise. */
    @Test
    void keyThatConscryptRejectsIsUsedByJava() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(
                new RSAKeyGenParameterSpec(2048, BigInteger.TWO.pow(40).nextProbablePrime()));
        KeyPair pair = generator.generateKeyPair();

        JWEObject jwe = encrypt(key("RSA", null, pair.getPublic()), "RSA-OAEP-256", "A128GCM", NATIVE);

        jwe.decrypt(new RSADecrypter(pair.getPrivate()));
        assertEquals(TEXT, jwe.getPayload().toString());
    }

    /** The header says nothing about who made the answer. */
    @Test
    void headersAreTheSame() throws Exception {
        List<String> headers = Stream.of(JAVA, NATIVE)
                .map(providers -> new AnswerEncrypter(key("RSA", null, rsa.getPublic()), "RSA-OAEP-256", providers)
                        .encrypt(TEXT, "A256GCM")
                        .split("\\.")[0])
                .toList();
        assertEquals(headers.get(0), headers.get(1));
    }

    private static JWEObject encrypt(KeyWrapper key, String algorithm, String encryption, CryptoProviders providers)
            throws Exception {
        return JWEObject.parse(new AnswerEncrypter(key, algorithm, providers).encrypt(TEXT, encryption));
    }

    private static KeyWrapper key(String type, String curve, Key publicKey) {
        KeyWrapper key = new KeyWrapper();
        key.setKid("of the data provider");
        key.setType(type);
        key.setCurve(curve);
        key.setPublicKey(publicKey);
        return key;
    }
}
