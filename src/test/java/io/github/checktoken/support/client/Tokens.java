package io.github.checktoken.support.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/** What a service provider gets from the token endpoint; null where it got none. */
public record Tokens(String accessToken, String refreshToken, String idToken) {

    /** @param response of the token endpoint */
    public static Tokens of(JsonNode response) {
        return new Tokens(
                response.path("access_token").asText(null),
                response.path("refresh_token").asText(null),
                response.path("id_token").asText(null));
    }

    /** The access token's payload, as only a test reads it. */
    public JsonNode accessClaims() {
        return claims(accessToken);
    }

    /** {@code amr} of the ID token, its values separated by spaces; null where there is none. */
    public String amr() {
        JsonNode amr = claims(idToken).get("amr");
        return amr == null ? null : amr.valueStream().map(JsonNode::asText).collect(Collectors.joining(" "));
    }

    /** {@code acr} of the ID token. */
    public String acr() {
        return claims(idToken).path("acr").asText();
    }

    public static JsonNode claims(String jwt) {
        byte[] payload = Base64.getUrlDecoder().decode(jwt.split("\\.")[1]);
        return Http.json(new String(payload, StandardCharsets.UTF_8));
    }
}
