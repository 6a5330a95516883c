package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.security.spec.ECFieldFp;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.crypto.KeyUse;
import org.keycloak.crypto.KeyWrapper;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EncryptionKeySelectorTest {

    /** RFC 7748 section 6.1, Bob's public key. */
    private static final String X25519 =
            "{'kty':'OKP','crv':'X25519','kid':'good','x':'3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08'}";

    private static final RSAKey RSA = rsa(2048);
    private static final ECKey EC = ec(Curve.P_256);

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "{'keys':null}", "{'keys':{}}", "<html></html>", "{'keys':["})
    void whatIsNoJwkSetIsRefused(String text) {
        assertThrows(IOException.class, () -> find(text, "ECDH-ES"));
    }

    @Test
    void deeplyNestedTextIsRefusedWithoutHarm() {
        assertThrows(IOException.class, () -> find("{'keys':" + "[".repeat(60_000), "ECDH-ES"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "null",
                "'text'",
                "[]",
                "{}",
                "{'kty':'NEW'}",
                "{'kty':5}",
                "{'kty':'oct','k':'AAAA'}",
                "{'kty':'RSA'}",
                "{'kty':'RSA','n':'','e':''}",
                "{'kty':'RSA','n':'****','e':'AQAB'}",
                "{'kty':'RSA','n':5,'e':'AQAB'}",
                "{'kty':'RSA','n':'AQAB','e':'AQAB','kid':{}}",
                "{'kty':'RSA','n':'AQAB','e':'AQAB','key_ops':[null]}",
                "{'kty':'EC','crv':'P-256','x':'AQ','y':'AQ'}",
                "{'kty':'EC','crv':'P-256','x':5,'y':'AQ'}",
                "{'kty':'EC','crv':'secp256k1','x':'AQ','y':'AQ'}",
                "{'kty':'EC','crv':'X25519','x':'AQ','y':'AQ'}",
                "{'kty':'OKP','crv':'X25519','x':'AQ'}",
                "{'kty':'OKP','crv':'X25519'}",
                "{'kty':'OKP','crv':'P-256','x':'AQ'}",
                "{'kty':'OKP','crv':'Ed25519','x':'11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'}"
            })
    void brokenOrForeignKeySpoilsNoOther(String other) throws IOException {
        String set = "{'keys':[" + other + "," + X25519 + "," + other + "]}";
        assertEquals("good", find(set, "ECDH-ES").orElseThrow().getKid());
    }

    @Test
    void pointThatIsNotOnTheCurveIsRefused() throws IOException {
        byte[] y = EC.getY().decode();
        y[y.length - 1] ^= 1;

        assertFalse(fits(with(EC.toJSONObject(), "y", Base64URL.encode(y).toString()), "ECDH-ES"));
    }

    /** It is the same point, so nimbus accepts it as a point of the curve. */
    @Test
    void coordinateOutsideTheFieldIsRefused() throws IOException {
        ECKey key = ec(Curve.P_521);
        BigInteger p = ((ECFieldFp) Curve.P_521.toECParameterSpec().getCurve().getField()).getP();
        for (String member : List.of("x", "y")) {
            Base64URL inside = member.equals("x") ? key.getX() : key.getY();
            Base64URL outside =
                    ECKey.encodeCoordinate(521, inside.decodeToBigInteger().add(p));
            assertFalse(fits(with(key.toPublicJWK().toJSONObject(), member, outside.toString()), "ECDH-ES"));
        }
    }

    /** RFC 7748 section 6.1 warns of these public keys: every key agreement with them results in zero. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA",
                "X5yVvKNQjCSx0LFVnIPvWwREXMRYHI6G2CJO3dCfEVc",
                "7P_______________________________________38",
                "7f_______________________________________38",
                "7v_______________________________________38"
            })
    void x25519PointOfSmallOrderIsRefused(String x) throws IOException {
        assertFalse(find("{'keys':[{'kty':'OKP','crv':'X25519','x':'" + x + "'}]}", "ECDH-ES")
                .isPresent());
    }

    @Test
    void weakRsaKeyIsRefused() throws IOException {
        assertFalse(fits(rsa(1024).toJSONObject(), "RSA-OAEP-256"));
        assertFalse(fits(withRsa("e", BigInteger.valueOf(3)), "RSA-OAEP-256"));
        assertFalse(fits(withRsa("e", BigInteger.ONE), "RSA-OAEP-256"));
        assertFalse(fits(withRsa("n", RSA.getModulus().decodeToBigInteger().clearBit(0)), "RSA-OAEP-256"));
    }

    @Test
    void rsaExponentThatMakesEncryptionSlowIsRefused() throws IOException {
        BigInteger slow = BigInteger.ONE.shiftLeft(256).setBit(0);
        assertFalse(fits(withRsa("e", slow), "RSA-OAEP-256"));
        assertTrue(fits(withRsa("e", slow.shiftRight(1).setBit(0)), "RSA-OAEP-256"));
    }

    @Test
    void keyWithoutUseAlgorithmAndKidFitsByItsType() throws IOException {
        Map<String, Object> key = RSA.toPublicJWK().toJSONObject();

        assertNull(find(key, "RSA-OAEP-256").orElseThrow().getKid());
        assertTrue(fits(key, "RSA-OAEP"));
        assertFalse(fits(key, "ECDH-ES"));
    }

    @Test
    void keyThatNamesAnAlgorithmFitsNoOther() throws IOException {
        Map<String, Object> key = with(RSA.toPublicJWK().toJSONObject(), "alg", "RSA-OAEP");

        assertTrue(fits(key, "RSA-OAEP"));
        assertFalse(fits(key, "RSA-OAEP-256"));
    }

    @Test
    void keyThatNamesTheAlgorithmComesFirstThenOneForEncryption() throws IOException {
        Map<String, Object> any = with(EC.toPublicJWK().toJSONObject(), "kid", "any");
        Map<String, Object> encryption = with(with(EC.toPublicJWK().toJSONObject(), "kid", "enc"), "use", "enc");
        Map<String, Object> named = with(with(EC.toPublicJWK().toJSONObject(), "kid", "named"), "alg", "ECDH-ES");

        assertEquals("any", kid(any));
        assertEquals("enc", kid(any, encryption));
        assertEquals("named", kid(any, encryption, named));
    }

    @Test
    void everyCurveOfKeyAgreementFits() throws IOException {
        for (Curve curve : List.of(Curve.P_256, Curve.P_384, Curve.P_521)) {
            Map<String, Object> key = ec(curve).toPublicJWK().toJSONObject();
            assertEquals(
                    curve.getName(), find(key, "ECDH-ES+A128KW").orElseThrow().getCurve());
            assertFalse(fits(key, "RSA-OAEP"));
        }
        KeyWrapper x25519 = find("{'keys':[" + X25519 + "]}", "ECDH-ES").orElseThrow();
        assertEquals("X25519", x25519.getCurve());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sig", "tls", ""})
    void keyForAnotherUseIsLeftOut(String use) throws IOException {
        assertFalse(fits(with(RSA.toPublicJWK().toJSONObject(), "use", use), "RSA-OAEP"));
    }

    /** WebCrypto exports the public half of a pair so. */
    @Test
    void keyForAnAgreementNeedsNoOperation() throws IOException {
        assertTrue(fits(with(EC.toPublicJWK().toJSONObject(), "key_ops", List.of()), "ECDH-ES"));
    }

    @Test
    void keyOperationsOfSignaturesLeaveTheKeyOut() throws IOException {
        Map<String, Object> rsa = RSA.toPublicJWK().toJSONObject();

        assertFalse(fits(with(rsa, "key_ops", List.of("verify")), "RSA-OAEP"));
        assertFalse(fits(with(rsa, "key_ops", List.of()), "RSA-OAEP"));
        assertFalse(fits(with(rsa, "key_ops", "verify"), "RSA-OAEP"));
        assertTrue(fits(with(rsa, "key_ops", List.of("something-new", "wrapKey")), "RSA-OAEP"));
    }

    @Test
    void brokenCertificateBesideTheKeyDoesNotMatter() throws IOException {
        assertTrue(fits(with(RSA.toPublicJWK().toJSONObject(), "x5c", "text"), "RSA-OAEP"));
    }

    @Test
    void privateHalfIsNotKept() throws IOException {
        KeyWrapper key =
                find(with(RSA.toJSONObject(), "use", "enc"), "RSA-OAEP").orElseThrow();

        assertNull(key.getPrivateKey());
        assertEquals(KeyUse.ENC, key.getUse());
    }

    @Test
    void kidIsKeptAsItIs() throws IOException {
        String kid = " \u00e9\u2028\"\\\n{}../ ";

        assertEquals(kid, kid(with(EC.toPublicJWK().toJSONObject(), "kid", kid)));
    }

    @Test
    void fiftyKeysOf64KibAreReadAndNoMore() throws IOException {
        String fifty = String.join(",", Collections.nCopies(49, "{}")) + "," + X25519;
        assertTrue(find("{'keys':[" + fifty + "]}", "ECDH-ES").isPresent());
        assertEquals(
                "the JWKS has more than 50 keys",
                assertThrows(IOException.class, () -> find("{'keys':[{}," + fifty + "]}", "ECDH-ES"))
                        .getMessage());
        String long64 = "{'keys':[" + X25519 + "]" + " ".repeat(64 * 1024 - X25519.length() - 11) + "}";
        assertTrue(find(long64, "ECDH-ES").isPresent());
        assertEquals(
                "the JWKS has more than 65536 bytes",
                assertThrows(IOException.class, () -> find(long64 + " ", "ECDH-ES"))
                        .getMessage());
    }

    @Test
    void keyBesideOneWithStrangeOperationsIsFound() throws IOException {
        String strange = "{'kty':'OKP','key_ops':[null]},{'kty':'EC','key_ops':[[]]},";
        assertTrue(find("{'keys':[" + strange + X25519 + "]}", "ECDH-ES").isPresent());
    }

    /** Keys are not rejected for it, because nothing else depends on it. */
    @ParameterizedTest
    @CsvSource({
        "1700000000,            2023-11-14T22:13:20Z",
        "1.7e9,                 2023-11-14T22:13:20Z",
        "253402300799,          9999-12-31T23:59:59Z",
        "1700000000000,         ",
        "0,                     ",
        "-5,                    ",
        "\"1700000000\",          ",
        "null,                  ",
        "[],                    "
    })
    void timeWhenTheKeyWasMadeIsReadIfItIsOne(String iat, String expected) throws IOException {
        SelectedKey found = EncryptionKeySelector.find(
                        JwkSet.parse("{\"keys\":["
                                + X25519.replace("}", ",'iat':" + iat + "}").replace('\'', '"') + "]}"),
                        "ECDH-ES")
                .orElseThrow();
        assertEquals(expected, found.issued() == null ? null : found.issued().toString());
    }

    private static Optional<KeyWrapper> find(String json, String algorithm) throws IOException {
        return EncryptionKeySelector.find(JwkSet.parse(json.replace('\'', '"')), algorithm)
                .map(SelectedKey::key);
    }

    private static Optional<KeyWrapper> find(Map<String, Object> jwk, String algorithm) throws IOException {
        return EncryptionKeySelector.find(set(jwk), algorithm).map(SelectedKey::key);
    }

    private static boolean fits(Map<String, Object> jwk, String algorithm) throws IOException {
        return find(jwk, algorithm).isPresent();
    }

    @SafeVarargs
    private static String kid(Map<String, Object>... jwks) throws IOException {
        return EncryptionKeySelector.find(set(jwks), "ECDH-ES")
                .orElseThrow()
                .key()
                .getKid();
    }

    @SafeVarargs
    private static JwkSet set(Map<String, Object>... jwks) throws IOException {
        return JwkSet.parse(JSONObjectUtils.toJSONString(Map.of("keys", List.of(jwks))));
    }

    private static Map<String, Object> with(Map<String, Object> jwk, String member, Object value) {
        jwk.put(member, value);
        return jwk;
    }

    private static Map<String, Object> withRsa(String member, BigInteger value) {
        return with(
                RSA.toPublicJWK().toJSONObject(),
                member,
                Base64URL.encode(value).toString());
    }

    private static RSAKey rsa(int bits) {
        try {
            return new RSAKeyGenerator(bits, true).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ECKey ec(Curve curve) {
        try {
            return new ECKeyGenerator(curve).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
