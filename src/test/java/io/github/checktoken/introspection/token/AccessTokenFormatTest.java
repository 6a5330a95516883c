package io.github.checktoken.introspection.token;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;
import org.keycloak.protocol.oidc.encode.TokenContextEncoderProvider;
import org.keycloak.representations.AccessToken;
import org.keycloak.util.JsonSerialization;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class AccessTokenFormatTest {

    private final AccessToken token = new AccessToken();

    AccessTokenFormatTest() {
        token.exp(2000L).iat(1000L).id("id").type("Bearer").issuer("https://id.example.org/");
    }

    @ParameterizedTest
    @CsvSource({"Bearer, true", "DPoP, true", "ID, false", "Refresh, false", "Logout, false", ", false"})
    void typeSaysThatItIsAnAccessToken(String type, boolean isAccessToken) {
        token.type(type);
        assertEquals(isAccessToken, isAccessToken());
    }

    /** Keycloak takes such a token for one that never expires. */
    @ParameterizedTest
    @CsvSource(
            value = {"0", "null"},
            nullValues = "null")
    void tokenThatDoesNotExpireIsNone(Long exp) {
        token.exp(exp);
        assertFalse(isAccessToken());
    }

    @Test
    void tokenWithoutATimeIsNone() {
        token.iat(null);
        assertFalse(isAccessToken());
    }

    @Test
    void tokenWithoutAReadableIdIsNone() {
        token.id(null);
        assertFalse(isAccessToken());
        token.id("xxxxxx:id");
        assertFalse(isAccessToken());
    }

    private boolean isAccessToken() {
        TokenContextEncoderProvider ids = Fake.of(
                TokenContextEncoderProvider.class,
                (method, arguments) -> arguments[0].equals("id")
                        ? new AccessTokenContext(SessionType.ONLINE, TokenType.REGULAR, "na", "id")
                        : new IllegalArgumentException());
        String text = base64("{\"alg\":\"RS256\"}") + "." + base64(JsonSerialization.valueAsString(token)) + ".AA";
        return new AccessTokenFormat(Fake.of(KeycloakSession.class, Map.of("getProvider", ids)))
                .isAccessToken(SignedText.of(text).orElseThrow(), token);
    }

    private static String base64(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
