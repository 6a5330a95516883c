package io.github.checktoken.walk;

import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.walk.browser.WalkBrowser;
import io.github.checktoken.walk.realm.People;
import io.github.checktoken.walk.realm.WalkRealm;

/**
 * The session of which a browser holds the identity cookie. Whether it lives, the administration API says and none of the
 * endpoints that the walk tests. An id is never used again, so a session that lives after a request has lived before it.
 *
 * @param id the session's id
 * @param userId the id of its user
 */
record LiveSession(String id, String userId) {

    /** @return null if the browser holds no such cookie */
    static LiveSession of(WalkBrowser browser) {
        JsonNode identity = browser.identity();
        return identity == null
                ? null
                : new LiveSession(
                        identity.path("sid").asText(), identity.path("sub").asText());
    }

    boolean lives(WalkRealm realm) {
        return found(realm).isPresent();
    }

    /** Whether it lives, and this client's part of it, which a revocation of the client's refresh token ends. */
    boolean livesFor(WalkRealm realm, String client) {
        return found(realm)
                .filter(session -> StreamSupport.stream(session.path("clients").spliterator(), false)
                        .anyMatch(used -> used.asText().equals(client)))
                .isPresent();
    }

    private Optional<JsonNode> found(WalkRealm realm) {
        HttpResponse<String> sessions = realm.admin().send("GET", "/users/" + userId + "/sessions", null);
        return sessions.statusCode() == 200
                ? StreamSupport.stream(Http.json(sessions).spliterator(), false)
                        .filter(session -> session.path("id").asText().equals(id))
                        .findFirst()
                : Optional.empty();
    }

    /** Whether Keycloak asks the person for nothing else before a login ends. Who is new may have to add an address. */
    boolean owesNothing(WalkRealm realm, People people) {
        HttpResponse<String> found = realm.admin().send("GET", "/users/" + userId, null);
        if (found.statusCode() != 200) {
            return false;
        }
        JsonNode user = Http.json(found);
        return people.named(user.path("username").asText()) != null
                && user.path("enabled").asBoolean()
                && user.path("requiredActions").isEmpty();
    }
}
