package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

/** Ends a session in another way than by a page: other tabs, devices and offline tokens may still be open. */
final class SessionEnd {

    private static final List<String> WAYS = List.of(
            "a client revokes the refresh token",
            "a client logs out with the refresh token",
            "an administrator ends the session",
            "an administrator logs the person out");

    private final Walk walk;
    private final IssuedTokens.Held held;
    private final JsonNode claims;
    private final int way;

    SessionEnd(Walk walk) {
        this.walk = walk;
        this.held = walk.pick(walk.answers().tokens());
        this.claims = Tokens.claims(held.tokens().idToken());
        this.way = walk.number(WAYS.size());
        String person = claims.path("preferred_username").asText();
        walk.say(WAYS.get(way) + " of " + person);
        walk.otherBrowser().mayBeSignedOut(person);
    }

    static void pass(Walk walk) {
        new SessionEnd(walk).send();
    }

    HttpResponse<String> send() {
        return switch (way) {
            case 0 -> post("/protocol/openid-connect/revoke", "token");
            case 1 -> post("/protocol/openid-connect/logout", "refresh_token");
            case 2 ->
                walk.realm()
                        .admin()
                        .send(
                                "DELETE",
                                "/sessions/" + Http.encode(claims.path("sid").asText()),
                                null);
            default ->
                walk.realm().admin().send("POST", "/users/" + claims.path("sub").asText() + "/logout", null);
        };
    }

    private HttpResponse<String> post(String path, String parameter) {
        return walk.realm()
                .client(held.issue().request().client())
                .post(path, Map.of(parameter, held.tokens().refreshToken()));
    }
}
