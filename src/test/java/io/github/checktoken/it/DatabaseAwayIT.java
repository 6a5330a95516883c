package io.github.checktoken.it;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import io.github.checktoken.support.DataProviderClient;
import io.github.checktoken.support.Database;
import io.github.checktoken.support.DistributionServer;
import io.github.checktoken.support.Federation;
import io.github.checktoken.support.Http;
import io.github.checktoken.support.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The database is away, as all connections to it end and no new one is taken. */
@ExtendWith(KeycloakExtension.class)
@Isolated
class DatabaseAwayIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Federation federation;
    private Database database;

    DatabaseAwayIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeEach
    void requireOwnDatabase() {
        assumeTrue(federation.server() instanceof DistributionServer, "needs the server's database");
        database = ((DistributionServer) federation.server()).database();
    }

    @Test
    void callsGetServiceUnavailableOneLineIsLoggedAndNothingHasToBeRestarted() {
        DataProviderClient tax = federation.tax();
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        tax.check(token);
        int before = log().size();

        database.whileAway(() -> {
            assertUnavailable(tax.post(token));
            await(() -> logged(before, "The database is away") == 1);
            // The server's log has stack traces of the calls that found it out.
            int away = log().size();
            for (int call = 0; call < 20; call++) {
                assertUnavailable(tax.post(token));
                assertUnavailable(tax.post("no token"));
                assertUnavailable(wrongSecret());
            }
            assertUnavailable(unknownRealm("/api/v2/.well-known/openid-configuration"));
            assertUnavailable(unknownRealm("/api/v1/authorize"));
            assertUnavailable(Http.send(Http.request(
                    federation.server().baseUrl() + "/admin/realms/federation/checktoken/data-providers")));
            assertEquals(0, logged(away, "\tat "));
        });

        await(() -> logged(before, "The database is back") == 1);
        assertEquals("true", String.valueOf(tax.check(token).introspection().get("active")));
        assertEquals(401, wrongSecret().statusCode());
        assertEquals(1, logged(before, "The database is away"));
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

    /** Fails closed: what is known of a person does not leave without a trace. */
    @Test
    void answerAboutPersonIsNotGivenWhenItsEventCannotBeStored() {
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
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

    private static void assertUnavailable(HttpResponse<String> response) {
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(response.body()).path("error").asText());
        assertEquals("5", response.headers().firstValue("Retry-After").orElse(null));
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
    }

    private HttpResponse<String> wrongSecret() {
        return Http.send(Http.form(
                federation.tax().url(), Map.of("client_id", "dp-tax", "client_secret", "wrong", "token", "no token")));
    }

    private HttpResponse<String> unknownRealm(String path) {
        return Http.send(
                Http.request(federation.server().realmUrl(UUID.randomUUID().toString()) + path));
    }

    private long logged(int from, String text) {
        List<String> log = log();
        return log.subList(from, log.size()).stream()
                .filter(line -> line.contains(text))
                .count();
    }

    private List<String> log() {
        try {
            return Files.readAllLines(federation.server().log());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not within " + LIMIT);
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
