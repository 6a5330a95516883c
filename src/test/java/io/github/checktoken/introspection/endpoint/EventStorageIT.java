package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests how a call is answered if its event cannot be stored. */
@ExtendWith(KeycloakExtension.class)
@Isolated
class EventStorageIT {

    private final Federation federation;
    private Database database;

    EventStorageIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeEach
    void requireOwnDatabase() {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's database");
        database = ((DistributionServer) federation.server()).database();
    }

    @Test
    void refusalIsToldAndNotWhatTheEventStorageHas() {
        database.execute("ALTER TABLE EVENT_ENTITY RENAME TO EVENT_ENTITY_AWAY");
        try {
            HttpResponse<String> response = wrongSecret();
            assertEquals(401, response.statusCode());
            assertEquals(
                    "invalid_client", Http.json(response.body()).path("error").asText());
            assertEquals(
                    400,
                    Http.send(Http.form(federation.tax().url(), "client_id=dp-tax"))
                            .statusCode());
        } finally {
            database.execute("ALTER TABLE EVENT_ENTITY_AWAY RENAME TO EVENT_ENTITY");
        }
    }

    /** Fails closed: an answer about a token is sent only if its event is stored. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answerIsNotGivenWhenItsEventCannotBeStored(boolean active) {
        String token = active
                ? federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken()
                : "no token";
        database.execute("ALTER TABLE EVENT_ENTITY RENAME TO EVENT_ENTITY_AWAY");
        try {
            HttpResponse<String> response = federation.tax().post(token);
            assertEquals(500, response.statusCode());
            assertEquals(
                    "server_error", Http.json(response.body()).path("error").asText());
        } finally {
            database.execute("ALTER TABLE EVENT_ENTITY_AWAY RENAME TO EVENT_ENTITY");
        }
    }

    private HttpResponse<String> wrongSecret() {
        return Http.send(Http.form(
                federation.tax().url(), Map.of("client_id", "dp-tax", "client_secret", "wrong", "token", "no token")));
    }
}
