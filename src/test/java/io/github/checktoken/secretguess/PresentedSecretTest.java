package io.github.checktoken.secretguess;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.core.MultivaluedHashMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A secret must be read exactly as Keycloak's client authenticators read it. Otherwise a guess would not be counted.
 */
class PresentedSecretTest {

    @Test
    void secretInTheBody() {
        assertPresented(Map.of("client_id", "dp", "client_secret", "s"), null, new PresentedSecret("dp", "s"));
    }

    @Test
    void secretInTheHeaderIsDecoded() {
        assertPresented(Map.of(), basic("d%20p:s%3Ae"), new PresentedSecret("d p", "s:e"));
    }

    @Test
    void theBodyHasPrecedence() {
        String header = basic("header:header-secret");
        assertPresented(Map.of("client_id", "dp"), header, new PresentedSecret("dp", "header-secret"));
        assertPresented(Map.of("client_secret", "s"), header, new PresentedSecret("header", "s"));
    }

    @Test
    void assertionSignedWithASecretCountsForItsSubject() {
        String assertion = jwt("{\"alg\":\"HS512\"}", "{\"sub\":\"dp\"}");
        assertPresented(Map.of("client_assertion", assertion), null, new PresentedSecret("dp", assertion));
    }

    @Test
    void secretAndAssertionBothCount() {
        String assertion = jwt("{\"alg\":\"HS256\"}", "{\"sub\":\"victim\"}");
        assertPresented(
                Map.of("client_assertion", assertion),
                basic("decoy:s"),
                new PresentedSecret("decoy", "s"),
                new PresentedSecret("victim", assertion));
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
