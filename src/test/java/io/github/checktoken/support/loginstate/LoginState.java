package io.github.checktoken.support.loginstate;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;

/**
 * What Keycloak keeps of a login that is under way.
 *
 * @param person whom the login is about; empty if it is about nobody yet
 * @param path the login action of the flow that Keycloak runs
 * @param step the authenticator whose form was shown last
 * @param pathOfStep the login action at which that form belongs
 * @param passed the login actions of flows in which a step was passed, or which wait to go on. {@code begun:} is before
 *     the one for the first login at a provider, if no step of it was passed
 * @param level the level of the login, as a number; empty if it has none
 */
public record LoginState(String person, String path, String step, String pathOfStep, Set<String> passed, String level) {

    /** @return where the server tells it to the browser of this login */
    public static String address(String realmUrl, String clientId, String tabId) {
        return realmUrl + "/" + LoginStateProviderFactory.ID + "?client_id=" + clientId + "&tab_id=" + tabId;
    }

    /** @return null if the server knows no such login, or redirects to where it begins anew */
    public static LoginState parse(HttpResponse<String> response) {
        if (response.statusCode() == 302) {
            return null;
        }
        JsonNode state = Http.json(response);
        if (state.isEmpty()) {
            return null;
        }
        Set<String> passed = new TreeSet<>();
        state.get("passed").forEach(path -> passed.add(path.asText()));
        return new LoginState(
                state.get("person").asText(),
                state.get("path").asText(),
                state.get("step").asText(),
                state.get("pathOfStep").asText(),
                passed,
                state.get("level").asText());
    }
}
