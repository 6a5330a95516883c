package io.github.checktoken.demo.pages.town;

import java.text.ParseException;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.JWT;
import io.github.checktoken.support.client.Http;

/**
 * A sign-in that has succeeded: the tokens, of which the ID token has been verified.
 *
 * @param scopes the scopes of the access token, as the token endpoint named them
 * @param expiry when the access token expires
 */
public record SignIn(SignInChoice choice, JWT idToken, String accessToken, List<String> scopes, Instant expiry) {

    public JsonNode header() {
        return Http.json(idToken.getParsedParts()[0].decodeToString());
    }

    public JsonNode claims() {
        return Http.json(idToken.getParsedParts()[1].decodeToString());
    }

    /** @return how the person signed in; empty if the ID token does not say it */
    public List<String> amr() {
        try {
            List<String> amr = idToken.getJWTClaimsSet().getStringListClaim("amr");
            return amr == null ? List.of() : amr;
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return a claim; empty if the ID token does not have it */
    public String claim(String name) {
        return claims().path(name).asText();
    }
}
