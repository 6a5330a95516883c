package io.github.checktoken.walk;

import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;

/** Draws the parameters of a new authorization request. */
final class NewRequest {

    private final Walk walk;
    private final Map<String, String> more = new HashMap<>();
    private boolean forced;

    private NewRequest(Walk walk) {
        this.walk = walk;
    }

    static void send(Walk walk) {
        new NewRequest(walk).send();
    }

    private void send() {
        String client = walk.habits().client(walk);
        drawPrompt();
        if (WalkRealm.WITH_LEVELS.contains(client) && walk.chance(75)) {
            more.put("acr_values", "eidas2");
        }
        if (walk.chance(more.containsKey("acr_values") ? 60 : 20)) {
            more.put("response_type", walk.pick(WalkRealm.FRONT_CHANNEL));
        }
        if (walk.chance(8)) {
            more.put("scope", "openid offline_access");
        }
        walk.say("opens " + client + " "
                + (more.containsKey("kc_action")
                        ? more.get("kc_action").replaceAll("delete_credential:.*", "delete_credential")
                        : more));
        walk.request(client, more, forced);
    }

    private void drawPrompt() {
        switch (walk.number(20)) {
            case 0, 1, 2 -> {
                more.put("prompt", "login");
                forced = true;
            }
            case 3 -> more.put("prompt", "none");
            case 4 -> {
                // Keycloak accepts any number. Every login is older than this one, whatever the clock says.
                more.put("max_age", "-1");
                forced = walk.oracle().hasSession();
            }
            case 5 -> more.put("max_age", "100000");
            case 6 -> more.put("kc_action", "configure-pin");
            case 7 -> more.put("kc_action", "UPDATE_PASSWORD");
            case 8, 9 -> more.put("kc_action", "idp_link:" + walk.pick(WalkRealm.PROVIDERS));
            case 10 -> more.put("kc_action", deletion());
            case 11 -> more.put("kc_idp_hint", walk.pick(WalkRealm.PROVIDERS));
            case 12, 13 -> {
                if (walk.people().slow()) {
                    more.put("kc_action", "configure-pin");
                }
            }
            default -> {
                // Most requests have no further parameter.
            }
        }
    }

    private String deletion() {
        Person person = walk.people().persons().get(walk.number(2));
        JsonNode credentials = walk.realm().admin().get(walk.realm().admin().user(person.name()) + "/credentials");
        return credentials.isEmpty()
                ? "configure-pin"
                : "delete_credential:"
                        + credentials
                                .get(walk.number(credentials.size()))
                                .get("id")
                                .asText();
    }
}
