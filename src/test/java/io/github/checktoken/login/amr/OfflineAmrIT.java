package io.github.checktoken.login.amr;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Tests {@code amr} after a refresh of an offline token, in a realm whose only mapper of this project is that of {@code
 * amr}: no mapper of the access token looks the login up before.
 */
class OfflineAmrIT extends AbstractLevelIT {

    OfflineAmrIT(KeycloakServer server) {
        super(server);
    }

    @BeforeAll
    void keepOnlyTheMapperOfAmr() {
        realm.removeMapper("acr");
    }

    @Test
    void refreshTellsTheLoginsMethods() {
        Tokens offline = signIn(STEPS, offline());
        assertEquals("pwd", offline.amr());
        assertEquals("pwd", refresh(offline).amr());
        assertEquals("pwd", refresh(refresh(offline)).amr());
    }

    @Test
    void refreshOfAnEarlierLoginTellsThoseOfThatLogin() {
        signIn(STEPS, realm.request(STEPS));
        Tokens low = signIn(STEPS, offline());
        Tokens high = signIn(STEPS, realm.requestHigh(STEPS).with("scope", "openid offline_access"));
        assertEquals("pwd pin", refresh(high).amr());
        assertEquals("pwd", refresh(low).amr());
    }

    @Test
    void refreshTokenOfLongAgoIsReported() {
        Tokens first = signIn(STEPS, offline());
        Tokens latest = first;
        for (int refreshes = 0; refreshes < 20; refreshes++) {
            latest = refresh(latest);
        }
        assertNull(refresh(first).amr());
        String id = realm.admin().user(person).substring("/users/".length());
        List<String> reasons = realm.admin()
                .get("/events?max=1000&type=REFRESH_TOKEN_ERROR&user=" + id)
                .valueStream()
                .map(event -> event.at("/details/reason"))
                .map(JsonNode::asText)
                .toList();
        assertEquals(List.of("login_not_found"), reasons);
    }

    private AuthorizationRequest offline() {
        return realm.request(STEPS).with("scope", "openid offline_access");
    }

    private Tokens refresh(Tokens tokens) {
        ServiceProvider client = realm.client(STEPS);
        return client.refresh(tokens);
    }
}
