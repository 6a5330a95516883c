package io.github.checktoken.introspection.secretguess;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.core.MultivaluedHashMap;

import org.keycloak.jose.jws.Algorithm;
import org.keycloak.jose.jws.crypto.HMACProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A secret must be read exactly as Keycloak's client authenticators read it. Otherwise a guess would not be counted.
 */
class PresentedSecretTest {

    private static final String SECRET = "secret-of-a-data-provider";

    @Test
    void secretInTheBody() {
        assertPresented(Map.of("client_id", "dp", "client_secret", "s"), null, plain("dp", "s"));
    }

    @Test
    void secretInTheHeaderIsDecoded() {
        assertPresented(Map.of(), basic("d%20p:s%3Ae"), plain("d p", "s:e"));
    }

    @Test
    void theBodyHasPrecedence() {
        String header = basic("header:header-secret");
        assertPresented(Map.of("client_id", "dp"), header, plain("dp", "header-secret"));
        assertPresented(Map.of("client_secret", "s"), header, plain("header", "s"));
    }

    @Test
    void assertionSignedWithASecretCountsForItsSubject() {
        String assertion = jwt("{\"alg\":\"HS512\"}", "{\"sub\":\"dp\"}");
        assertPresented(Map.of("client_assertion", assertion), null, new PresentedSecret("dp", assertion, true));
    }

    @Test
    void secretAndAssertionBothCount() {
        String assertion = jwt("{\"alg\":\"HS256\"}", "{\"sub\":\"victim\"}");
        assertPresented(
                Map.of("client_assertion", assertion),
                basic("decoy:s"),
                plain("decoy", "s"),
                new PresentedSecret("victim", assertion, true));
    }

    @Test
    void signatureByAPrivateKeyIsNoGuess() {
        assertPresented(Map.of("client_assertion", jwt("{\"alg\":\"ES256\"}", "{\"sub\":\"dp\"}")), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "x.y", "bnVsbA.bnVsbA.x", "e30.e30.x", "a.b.c.d.e"})
    void whatIsNoAssertionIsNoGuess(String assertion) {
        assertPresented(Map.of("client_assertion", assertion), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic", "Basic ", "Basic ZA", "Bearer abc", "Basic ZHA6JXp6"})
    void whatIsNoBasicHeaderIsNoGuess(String authorization) {
        assertPresented(Map.of(), authorization);
    }

    @Test
    void aNameAloneIsNoGuess() {
        assertPresented(Map.of("client_id", "dp"), null);
    }

    @Test
    void madeWithTheSecretItself() {
        assertTrue(plain("dp", SECRET).isMadeWith(SECRET));
        assertFalse(plain("dp", "wrong").isMadeWith(SECRET));
    }

    /** Its claims do not matter. */
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"HS256", "HS384", "HS512"})
    void madeWithTheSecretThatSignsTheAssertion(Algorithm algorithm) {
        String signed = base64("{\"alg\":\"" + algorithm + "\"}") + "." + base64("{\"sub\":\"dp\",\"exp\":1}");
        byte[] signature = HMACProvider.sign(
                signed.getBytes(StandardCharsets.US_ASCII), algorithm, SECRET.getBytes(StandardCharsets.US_ASCII));
        String assertion =
                signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);

        assertTrue(new PresentedSecret("dp", assertion, true).isMadeWith(SECRET));
        assertFalse(new PresentedSecret("dp", assertion, true).isMadeWith("wrong"));
        assertFalse(plain("dp", assertion).isMadeWith(SECRET));
        assertFalse(new PresentedSecret("dp", signed + ".", true).isMadeWith(SECRET));
    }

    private static PresentedSecret plain(String clientId, String secret) {
        return new PresentedSecret(clientId, secret, false);
    }

    private static void assertPresented(Map<String, String> form, String authorization, PresentedSecret... presented) {
        assertEquals(List.of(presented), PresentedSecret.in(new MultivaluedHashMap<>(form), authorization));
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static String jwt(String header, String payload) {
        return base64(header) + "." + base64(payload) + ".c2ln";
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
