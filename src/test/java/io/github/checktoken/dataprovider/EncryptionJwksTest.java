package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;

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
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EncryptionJwksTest {

    /** RFC 7748 section 6.1, Bob's public key. */
    private static final String X25519 =
            "{'kty':'OKP','crv':'X25519','kid':'good','x':'3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08'}";

    private static final RSAKey RSA = rsa(2048);
    private static final ECKey EC = ec(Curve.P_256);

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "{'keys':null}", "{'keys':{}}", "<html></html>", "{'keys':["})
    void whatIsNoJwkSetIsRefused(String text) {
        assertThrows(IOException.class, () -> parse(text));
    }

    @Test
    void nullIsNoJwkSet() {
        assertThrows(IOException.class, () -> EncryptionJwks.parse(null));
    }

    @Test
    void deeplyNestedTextIsRefusedWithoutHarm() {
        assertThrows(IOException.class, () -> parse("{'keys':" + "[".repeat(60_000)));
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
        assertEquals(List.of("good"), kids("{'keys':[" + other + "," + X25519 + "," + other + "]}"));
    }

    @Test
    void pointThatIsNotOnTheCurveIsRefused() throws IOException {
        byte[] y = EC.getY().decode();
        y[y.length - 1] ^= 1;

        assertEquals(
                List.of(),
                parseOne(with(EC.toJSONObject(), "y", Base64URL.encode(y).toString())));
    }

    /** The public values that RFC 7748 section 6.1 warns of: every agreement with them ends in zero. */
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
        assertEquals(List.of(), kids("{'keys':[{'kty':'OKP','crv':'X25519','x':'" + x + "'}]}"));
    }

    @Test
    void rsaUnder2048BitsFitsNothing() throws IOException {
        KeyWrapper weak = only(rsa(1024).toJSONObject());

        assertFalse(EncryptionJwks.fits(weak, "RSA-OAEP-256"));
    }

    @Test
    void rsaExponentUnder65537FitsNothing() throws IOException {
        KeyWrapper weak = only(with(RSA.toPublicJWK().toJSONObject(), "e", "Aw"));
        assertFalse(EncryptionJwks.fits(weak, "RSA-OAEP-256"));
    }

    @Test
    void evenRsaModulusFitsNothing() throws IOException {
        byte[] modulus = RSA.getModulus().decode();
        modulus[modulus.length - 1] &= (byte) 0xFE;
        String even = Base64URL.encode(modulus).toString();
        KeyWrapper weak = only(with(RSA.toPublicJWK().toJSONObject(), "n", even));
        assertFalse(EncryptionJwks.fits(weak, "RSA-OAEP-256"));
    }

    @Test
    void rsaExponentOfOneIsRefused() throws IOException {
        assertEquals(List.of(), parseOne(with(RSA.toPublicJWK().toJSONObject(), "e", "AQ")));
    }

    @Test
    void keyWithoutUseAlgorithmAndKidFitsByItsType() throws IOException {
        KeyWrapper key = only(RSA.toPublicJWK().toJSONObject());

        assertNull(key.getKid());
        assertTrue(EncryptionJwks.fits(key, "RSA-OAEP-256"));
        assertTrue(EncryptionJwks.fits(key, "RSA-OAEP"));
        assertFalse(EncryptionJwks.fits(key, "ECDH-ES"));
    }

    @Test
    void keyThatNamesAnAlgorithmFitsNoOther() throws IOException {
        KeyWrapper key = only(with(RSA.toPublicJWK().toJSONObject(), "alg", "RSA-OAEP"));

        assertTrue(EncryptionJwks.fits(key, "RSA-OAEP"));
        assertFalse(EncryptionJwks.fits(key, "RSA-OAEP-256"));
    }

    @Test
    void everyCurveOfKeyAgreementFits() throws IOException {
        for (Curve curve : List.of(Curve.P_256, Curve.P_384, Curve.P_521)) {
            KeyWrapper key = only(ec(curve).toPublicJWK().toJSONObject());
            assertEquals(curve.getName(), key.getCurve());
            assertTrue(EncryptionJwks.fits(key, "ECDH-ES+A128KW"));
            assertFalse(EncryptionJwks.fits(key, "RSA-OAEP"));
        }
        KeyWrapper x25519 = parse("{'keys':[" + X25519 + "]}").get(0);
        assertEquals("X25519", x25519.getCurve());
        assertTrue(EncryptionJwks.fits(x25519, "ECDH-ES"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sig", "tls", ""})
    void keyForAnotherUseIsLeftOut(String use) throws IOException {
        assertEquals(List.of(), parseOne(with(RSA.toPublicJWK().toJSONObject(), "use", use)));
    }

    @Test
    void keyOperationsOfSignaturesLeaveTheKeyOut() throws IOException {
        Map<String, Object> rsa = RSA.toPublicJWK().toJSONObject();

        assertEquals(List.of(), parseOne(with(rsa, "key_ops", List.of("verify"))));
        assertEquals(List.of(), parseOne(with(rsa, "key_ops", List.of())));
        assertEquals(List.of(), parseOne(with(rsa, "key_ops", "verify")));
        assertEquals(
                1,
                parseOne(with(rsa, "key_ops", List.of("something-new", "wrapKey")))
                        .size());
    }

    @Test
    void brokenCertificateBesideTheKeyDoesNotMatter() throws IOException {
        assertEquals(
                1,
                parseOne(with(RSA.toPublicJWK().toJSONObject(), "x5c", "text")).size());
    }

    @Test
    void privateHalfIsNotKept() throws IOException {
        KeyWrapper key = only(with(RSA.toJSONObject(), "use", "enc"));

        assertNull(key.getPrivateKey());
        assertEquals(KeyUse.ENC, key.getUse());
    }

    @Test
    void kidIsKeptAsItIs() throws IOException {
        String kid = " \u00e9\u2028\"\\\n{}../ ";

        assertEquals(
                kid, only(with(EC.toPublicJWK().toJSONObject(), "kid", kid)).getKid());
    }

    @Test
    void asManyKeysAsFitIntoAnAnswerAreReadInNoTime() throws IOException {
        String one = X25519.replace("'kid':'good',", "");
        String many = String.join(",", Collections.nCopies(JwksRequest.MAX_BYTES / one.length(), one));
        long start = System.nanoTime();

        assertEquals(
                JwksRequest.MAX_BYTES / one.length(),
                parse("{'keys':[" + many + "]}").size());
        assertTrue(System.nanoTime() - start < 5_000_000_000L);
    }

    private static List<KeyWrapper> parse(String json) throws IOException {
        return EncryptionJwks.parse(json.replace('\'', '"'));
    }

    private static List<String> kids(String json) throws IOException {
        return parse(json).stream().map(KeyWrapper::getKid).toList();
    }

    private static List<KeyWrapper> parseOne(Map<String, Object> jwk) throws IOException {
        return EncryptionJwks.parse(JSONObjectUtils.toJSONString(Map.of("keys", List.of(jwk))));
    }

    private static KeyWrapper only(Map<String, Object> jwk) throws IOException {
        List<KeyWrapper> keys = parseOne(jwk);
        assertEquals(1, keys.size());
        return keys.get(0);
    }

    private static Map<String, Object> with(Map<String, Object> jwk, String member, Object value) {
        jwk.put(member, value);
        return jwk;
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
