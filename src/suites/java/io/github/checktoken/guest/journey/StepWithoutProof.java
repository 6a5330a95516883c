package io.github.checktoken.guest.journey;

import java.net.http.HttpResponse;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.guest.realm.GuestRealm;
import io.github.checktoken.guest.realm.Shown;
import io.github.checktoken.guest.realm.TabBrowser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.Waiting;

/**
 * Single sign-on that asks for a higher level runs a step that proves nothing, silently. With Keycloak's own mappers, the
 * tokens say what plain Keycloak says.
 */
final class StepWithoutProof {

    private static final String LEVEL_TWO = "{\"id_token\":{\"acr\":{\"values\":[\"2\"]}}}";

    private StepWithoutProof() {}

    static List<Journey> all() {
        return List.of(
                new Journey(
                        "proof",
                        "silent single sign-on through Allow access",
                        realm -> run(realm, "app", "allowed-after-single-sign-on")),
                new Journey(
                        "proof",
                        "silent single sign-on through Allow access at level 2",
                        realm -> run(realm, "level-two-allowed", "level-two-allowed")));
    }

    private static Outcome run(GuestRealm realm, String before, String client) {
        TabBrowser browser = realm.browser();
        JsonNode first =
                Tokens.claims(realm.signIn(browser, realm.newPerson(), before).idToken());
        Waiting.untilAllIsOlderThan(1);
        HttpResponse<String> end = browser.get(realm.request(client)
                .with("prompt", "none")
                .with("claims", LEVEL_TWO)
                .url());
        if (Shown.of(end).rank() != Shown.Rank.SIGNED_IN) {
            return Outcome.of(Shown.of(end).text(), 0);
        }
        JsonNode second = Tokens.claims(realm.client(client).redeem(end).idToken());
        boolean now =
                second.path("auth_time").asLong() > first.path("auth_time").asLong();
        String text = "acr %s, auth_time %s".formatted(second.path("acr").asText(), now ? "now" : "of the first login");
        return Outcome.of(text, (now ? 1 : 0) + second.path("acr").asInt());
    }
}
