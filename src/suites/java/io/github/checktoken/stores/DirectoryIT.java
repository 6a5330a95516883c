package io.github.checktoken.stores;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.introspection.token.TokenSource;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** People of an LDAP directory, and what callers get while the directory is away or hangs. */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectoryIT {

    private static final List<String> PEOPLE = List.of("lou", "noa", "sacha", "alix");
    private static final int CALLERS = 300;

    /** So few calls that a small machine has time left; so many that all of Keycloak's threads would wait if they could. */
    private static final Duration BETWEEN_CALLS = Duration.ofSeconds(4);

    private static final int MEASURED = 100;

    private final Federation federation;
    private final Federation other;
    private final DirectoryServer directory = new DirectoryServer(PEOPLE);

    DirectoryIT(KeycloakServer server, Federation federation) throws IOException {
        this.federation = federation;
        this.other = Federation.copy(server, 900);
        federation.letPeopleSignInAgainAtOnce();
        other.letPeopleSignInAgainAtOnce();
    }

    @AfterAll
    void stop() {
        directory.close();
    }

    @ParameterizedTest
    @CsvSource({"lou, true, READ_ONLY", "noa, true, WRITABLE", "sacha, false, READ_ONLY", "alix, false, WRITABLE"})
    void directoryThatIsAwayIsAFailureAndNotAnAnswer(String person, String imported, String editMode)
            throws IOException {
        try (LdapProvider provider = new LdapProvider(
                federation.admin(), directory, Map.of("importEnabled", imported, "editMode", editMode))) {
            String token =
                    federation.town().signIn(person, Federation.ALL_SCOPES).accessToken();
            DataProviderClient tax = federation.tax();
            Map<String, Object> before = tax.check(token).introspection();
            assertEquals(true, before.get("active"));
            assertEquals("Moreau", before.get("family_name"));

            directory.stop();
            try {
                JsonNode event = assertIsAway(tax.post(token));
                assertTrue(event.hasNonNull("sessionId"));
                // Without import, Keycloak knows nobody.
                assertEquals(imported, "" + event.hasNonNull("userId"));
                assertIsAway(tax.post(token));
                assertEquals(200, other.tax().post("unknown").statusCode());
            } finally {
                directory.start();
            }
            assertEquals(before, tax.check(token).introspection());
        }
    }

    /** An identity provider has vouched for the person, who is then found by the subject of the token alone. */
    @Test
    void directoryThatIsAwayIsAFailureForATokenWithoutASession() throws IOException {
        try (LdapProvider provider = new LdapProvider(federation.admin(), directory, Map.of());
                TokenSource tokens = new TokenSource(federation)) {
            federation.town().signIn("lou", Federation.ALL_SCOPES);
            String token = tokens.vouchedFor("lou");
            Map<String, Object> before = federation.tax().check(token).introspection();
            assertEquals(true, before.get("active"));

            directory.stop();
            try {
                assertIsAway(federation.tax().post(token));
            } finally {
                directory.start();
            }
            assertEquals(before, federation.tax().check(token).introspection());
        }
    }

    /** The directory answers nothing, and Keycloak waits two seconds for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void directoryThatHangsLeavesLoginsAndCallsOfAnotherRealmAlone(boolean allCallersAtOnce) throws Exception {
        try (LdapProvider provider = new LdapProvider(federation.admin(), directory, Map.of())) {
            String token =
                    federation.town().signIn("lou", Federation.ALL_SCOPES).accessToken();
            String theirs =
                    other.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
            // The first calls and logins after a start take long.
            underLoad(token, theirs, allCallersAtOnce);
            Load before = underLoad(token, theirs, allCallersAtOnce);
            directory.suspend();
            Load meanwhile;
            try {
                meanwhile = underLoad(token, theirs, allCallersAtOnce);
            } finally {
                directory.resume();
            }
            System.out.printf(
                    "p99 of a login and a call of another realm, beside %d callers%s: %d ms while the directory answers, %d ms while it hangs; they got %s and %s%n",
                    CALLERS,
                    allCallersAtOnce ? " at once" : "",
                    before.p99().toMillis(),
                    meanwhile.p99().toMillis(),
                    before.statuses(),
                    meanwhile.statuses());
            assertEquals(Set.of(200), before.statuses().keySet());
            assertEquals(Set.of(503), meanwhile.statuses().keySet());
            assertTrue(meanwhile.p99().toMillis() <= 1.5 * before.p99().toMillis());
            assertEquals(200, federation.tax().post(token).statusCode());
        }
    }

    private record Load(Duration p99, Map<Integer, Integer> statuses) {}

    /** Measures while many callers ask about a person of the directory. */
    private Load underLoad(String token, String theirs, boolean allCallersAtOnce) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Map<Integer, Integer>>> seen = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            long delay = allCallersAtOnce ? 0 : BETWEEN_CALLS.toMillis() * caller / CALLERS;
            seen.add(callers.submit(() -> call(token, delay, over)));
        }
        List<Duration> times = measure(theirs);
        over.set(true);
        callers.shutdown();
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (Future<Map<Integer, Integer>> caller : seen) {
            caller.get().forEach((status, number) -> statuses.merge(status, number, Integer::sum));
        }
        return new Load(p99(times), statuses);
    }

    /** Calls again and again, and waits between two calls. */
    private Map<Integer, Integer> call(String token, long delayMillis, AtomicBoolean over) throws InterruptedException {
        Map<Integer, Integer> statuses = new TreeMap<>();
        TimeUnit.MILLISECONDS.sleep(delayMillis);
        while (!over.get()) {
            statuses.merge(federation.tax().post(token).statusCode(), 1, Integer::sum);
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CALLS.toMillis());
        }
        return statuses;
    }

    /** How long a login and a call take, again and again. */
    private List<Duration> measure(String token) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < MEASURED; i++) {
            long begin = System.nanoTime();
            other.town().signIn("camille", Federation.ALL_SCOPES);
            assertEquals(true, other.tax().check(token).introspection().get("active"));
            times.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        return times;
    }

    private static Duration p99(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() * 99 / 100);
    }

    /** @return the event */
    private JsonNode assertIsAway(HttpResponse<String> response) {
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "temporarily_unavailable",
                Http.json(response.body()).path("error").asText());
        assertTrue(response.headers().firstValue("Retry-After").isPresent());
        JsonNode event = federation
                .admin()
                .get("/events?type=INTROSPECT_TOKEN_ERROR&max=1")
                .path(0);
        assertEquals("token_introspection_failed", event.path("error").asText());
        assertEquals(
                "a user store could not be asked",
                event.path("details").path("reason").asText());
        return event;
    }
}
