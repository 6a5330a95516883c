package io.github.checktoken.support;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import com.fasterxml.jackson.databind.JsonNode;

/** What a service provider gets from the token endpoint; null where it got none. */
public record Tokens(String accessToken, String refreshToken, String idToken) {

    /** The access token's payload, as only a test reads it. */
    public JsonNode accessClaims() {
        return claims(accessToken);
    }

    public static JsonNode claims(String jwt) {
        byte[] payload = Base64.getUrlDecoder().decode(jwt.split("\\.")[1]);
        return Http.json(new String(payload, StandardCharsets.UTF_8));
    }
}
