package io.github.checktoken.keycloak;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** {@code LoginRecorder} and {@code LoginEvidence} rely on the notes that Keycloak's sessions have after a login. */
@ExtendWith(KeycloakExtension.class)
class SessionNotesIT {

    private final Federation federation;

    SessionNotesIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeEach
    void requireDatabase() {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's database");
    }

    @Test
    void userSessionHoldsTheLevelsThatTheLoginReached() {
        JsonNode notes = notes("OFFLINE_USER_SESSION", signIn(null));
        assertEquals(List.of("1"), fields(Http.json(notes.path("loa-map").asText())));
        assertTrue(notes.has("AUTH_TIME"));
    }

    /**
     * Keycloak copies the parameters of each request into the same client session. So the claims there do not show
     * which login asked for amr.
     */
    @Test
    void clientSessionHoldsTheParametersOfTheLastRequest() {
        JsonNode notes = notes("OFFLINE_CLIENT_SESSION", signIn("{\"id_token\":{\"amr\":{\"essential\":true}}}"));
        assertEquals(
                "{\"id_token\":{\"amr\":{\"essential\":true}}}",
                notes.path("claims").asText());
        assertEquals("1", notes.path("level-of-authentication").asText());
        assertTrue(notes.has("nonce"));
    }

    /**
     * Keycloak 26.5 keeps a removed note in the database until the next change, so the test looks only for the new
     * note.
     */
    @Test
    void loginIsKeptForItsRefreshTokenOnceTheCodeIsRedeemed() {
        JsonNode notes = notes("OFFLINE_CLIENT_SESSION", signIn("{\"id_token\":{\"amr\":null}}"));
        assertEquals(
                1,
                fields(notes).stream()
                        .filter(name -> name.startsWith("checktoken.amr.refresh."))
                        .count());
    }

    /** @return the id of the session */
    private String signIn(String claims) {
        AuthorizationRequest request = federation.town().request().with("scope", "openid");
        Tokens tokens = federation
                .town()
                .signIn(
                        new Browser(federation.server()),
                        "camille",
                        claims == null ? request : request.with("claims", claims));
        return Tokens.claims(tokens.accessToken()).path("sid").asText();
    }

    private JsonNode notes(String table, String session) {
        List<String> data = ((DistributionServer) federation.server())
                .database()
                .values("SELECT DATA FROM " + table + " WHERE USER_SESSION_ID = '" + session + "'");
        assertEquals(1, data.size());
        return Http.json(data.get(0)).path("notes");
    }

    private static List<String> fields(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
