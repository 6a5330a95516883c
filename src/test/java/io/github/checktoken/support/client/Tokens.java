package io.github.checktoken.support.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/** The tokens that a service provider gets from the token endpoint; null for each that it did not get. */
public record Tokens(String accessToken, String refreshToken, String idToken) {

    /** @param response the response of the token endpoint */
    public static Tokens of(JsonNode response) {
        return new Tokens(
                response.path("access_token").asText(null),
                response.path("refresh_token").asText(null),
                response.path("id_token").asText(null));
    }

    /** @return the payload of the access token, which only a test may read */
    public JsonNode accessClaims() {
        return claims(accessToken);
    }

    /** @return {@code amr} of the ID token, with its values separated by spaces; null if there is none */
    public String amr() {
        JsonNode amr = claims(idToken).get("amr");
        return amr == null ? null : amr.valueStream().map(JsonNode::asText).collect(Collectors.joining(" "));
    }

    /** @return {@code acr} of the ID token */
    public String acr() {
        return claims(idToken).path("acr").asText();
    }

    public static JsonNode claims(String jwt) {
        byte[] payload = Base64.getUrlDecoder().decode(jwt.split("\\.")[1]);
        return Http.json(new String(payload, StandardCharsets.UTF_8));
    }
}
