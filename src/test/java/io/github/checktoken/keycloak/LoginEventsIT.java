package io.github.checktoken.keycloak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** {@code LoginEventListener} relies on the events of a login and a refresh, on their order and on their details. */
@ExtendWith(KeycloakExtension.class)
class LoginEventsIT {

    private final Federation federation;

    LoginEventsIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void loginThenCodeThenRefreshNameTheSessionAndTheRefreshTokens() {
        try (DemoPerson person = new DemoPerson(federation.admin(), List.of(DemoPerson.PASSWORD), List.of())) {
            Tokens first = federation.town().signIn(person.name(), "openid");
            String second = refresh(first.refreshToken());

            List<JsonNode> events = events(person.name());
            assertEquals(
                    List.of("LOGIN", "CODE_TO_TOKEN", "REFRESH_TOKEN"),
                    events.stream().map(event -> event.path("type").asText()).toList());
            String session = Tokens.claims(first.accessToken()).path("sid").asText();
            events.forEach(
                    event -> assertEquals(session, event.path("sessionId").asText()));
            assertEquals(id(first.refreshToken()), detail(events.get(1), "refresh_token_id"));
            assertEquals(id(first.refreshToken()), detail(events.get(2), "refresh_token_id"));
            assertEquals(id(second), detail(events.get(2), "updated_refresh_token_id"));
        }
    }

    /** @return the events, the oldest first */
    private List<JsonNode> events(String username) {
        String user = federation.admin().user(username);
        List<JsonNode> events = new ArrayList<>();
        federation
                .admin()
                .get("/events?user=" + user.substring(user.lastIndexOf('/') + 1))
                .forEach(events::add);
        Collections.reverse(events);
        return events;
    }

    private String refresh(String refreshToken) {
        return Http.json(Http.send(Http.form(
                        federation.url() + "/protocol/openid-connect/token",
                        Map.of(
                                "grant_type",
                                "refresh_token",
                                "refresh_token",
                                refreshToken,
                                "client_id",
                                federation.town().clientId(),
                                "client_secret",
                                federation.town().secret()))))
                .path("refresh_token")
                .asText();
    }

    private static String id(String token) {
        return Tokens.claims(token).path("jti").asText();
    }

    private static String detail(JsonNode event, String name) {
        return event.path("details").path(name).asText();
    }
}
