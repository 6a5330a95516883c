package io.github.checktoken.cluster;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A PostgreSQL that hangs: it accepts connections and answers nothing. The nodes have {@code --db-connect-timeout=3} and
 * {@code --db-pool-acquisition-timeout=4}.
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HangingDatabaseIT {

    /** The wait for a connection of the pool. */
    private static final Duration ACQUISITION = Duration.ofSeconds(4);

    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final Duration HANG = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(1_500);
    private static final Duration AT_ONCE = Duration.ofMillis(500);
    private static final int CALLS_AT_ONCE = 2;

    private final Cluster cluster;

    HangingDatabaseIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** @param asked time since PostgreSQL hangs */
    private record Call(Duration asked, Duration took, int status, boolean right) {}

    @Test
    void callsWaitForTheLimitsAndSoonGet503AtOnce() throws Exception {
        DataProviderClient tax = cluster.federation(1).tax();
        String token = cluster.federation(1)
                .town()
                .signIn(cluster.browser(() -> 1), "camille", Federation.ALL_SCOPES)
                .accessToken();
        Map<String, Object> expected = tax.check(token).introspection();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Answered>> pending = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        cluster.postgres().suspend();
        Instant begin = Instant.now();
        try {
            while (Instant.now().isBefore(begin.plus(HANG))) {
                for (int call = 0; call < CALLS_AT_ONCE; call++) {
                    pending.add(threads.submit(() -> {
                        Instant asked = Instant.now();
                        HttpResponse<String> response = tax.post(token);
                        return new Answered(asked, Duration.between(asked, Instant.now()), response);
                    }));
                }
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } finally {
            cluster.postgres().resume();
        }
        Duration hung = Duration.between(begin, Instant.now());
        for (Future<Answered> each : pending) {
            Answered answered = each.get();
            calls.add(new Call(
                    Duration.between(begin, answered.asked()),
                    answered.took(),
                    answered.response().statusCode(),
                    isRight(answered.response(), tax, expected)));
        }
        threads.shutdown();
        System.out.printf("PostgreSQL hung for %.1f s%n", hung.toMillis() / 1000.0);
        calls.forEach(call -> System.out.printf(
                "  asked after %5.1f s, waited %5.1f s: %d%n",
                call.asked().toMillis() / 1000.0, call.took().toMillis() / 1000.0, call.status()));

        assertEquals(List.of(), calls.stream().filter(call -> !call.right()).toList());
        // Calls that had a connection wait as long as PostgreSQL hangs. The others do not wait for longer than the
        // limit.
        assertEquals(
                List.of(),
                calls.stream()
                        .filter(call -> call.took()
                                        .compareTo(
                                                call.status() == 503
                                                        ? ACQUISITION.plus(MARGIN)
                                                        : hung.minus(call.asked())
                                                                .plus(MARGIN))
                                > 0)
                        .toList());
        Duration first503 = calls.stream()
                .filter(call -> call.status() == 503)
                .map(call -> call.asked().plus(call.took()))
                .min(Duration::compareTo)
                .orElseThrow();
        List<Call> late = calls.stream()
                .filter(call ->
                        call.asked().compareTo(first503.plus(ACQUISITION).plus(MARGIN)) > 0)
                .toList();
        assertFalse(late.isEmpty());
        assertEquals(
                List.of(),
                late.stream()
                        .filter(call -> call.status() != 503 || call.took().compareTo(AT_ONCE) > 0)
                        .toList());
        Cluster.await(
                "an answer of each node",
                () -> tax.post(token).statusCode() == 200
                        && cluster.federation(0).tax().post(token).statusCode() == 200);
        assertEquals(expected, tax.check(token).introspection());
        cluster.awaitEntrance();
    }

    /** PostgreSQL stays up, but all connections of the pools are closed. */
    @Test
    void answersAreRightAgainAsSoonAsKeycloaksOwn() throws Exception {
        DataProviderClient tax = cluster.federation(0).tax();
        String token = cluster.federation(0)
                .town()
                .signIn(cluster.browser(() -> 0), "camille", Federation.ALL_SCOPES)
                .accessToken();
        Map<String, Object> expected = tax.check(token).introspection();
        String introspection = cluster.federation(0).url() + "/protocol/openid-connect/token/introspect";
        Map<String, String> form = Map.of("client_id", tax.clientId(), "client_secret", tax.secret(), "token", token);
        // Many connections, of which a single call at a time would take one after the other.
        ExecutorService threads = Executors.newFixedThreadPool(40);
        List<Future<HttpResponse<String>>> burst = new ArrayList<>();
        for (int call = 0; call < 400; call++) {
            burst.add(threads.submit(() -> tax.post(token)));
        }
        for (Future<HttpResponse<String>> call : burst) {
            assertEquals(200, call.get().statusCode());
        }

        Instant begin = Instant.now();
        cluster.postgres()
                .execute("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and usename = current_user");
        Future<Duration> own = threads.submit(() -> untilAnswered(
                begin, () -> Http.send(Http.form(introspection, form)).statusCode() == 200));
        Duration ours = untilAnswered(
                begin,
                () -> isRight(tax.post(token), tax, expected) && tax.post(token).statusCode() == 200);
        threads.shutdown();
        System.out.printf(
                "After all connections were closed: Keycloak's introspection is right after %d ms, checktoken after %d ms%n",
                own.get().toMillis(), ours.toMillis());
        assertTrue(ours.compareTo(own.get().plusSeconds(1)) <= 0);
        cluster.awaitEntrance();
    }

    /** @return the time until ten answers in a row were right */
    private static Duration untilAnswered(Instant begin, Callable<Boolean> call) throws Exception {
        Instant first = Instant.now();
        for (int right = 0; right < 10; ) {
            if (call.call()) {
                right++;
            } else {
                right = 0;
                first = Instant.now();
            }
        }
        return Duration.between(begin, first);
    }

    private record Answered(Instant asked, Duration took, HttpResponse<String> response) {}

    /** While the database hangs, only the answer after the hang or a 503 is right. */
    private static boolean isRight(
            HttpResponse<String> response, DataProviderClient dataProvider, Map<String, Object> expected) {
        if (response.statusCode() == 503) {
            return Http.json(response.body()).path("error").asText().equals("temporarily_unavailable")
                    && response.headers().firstValue("Retry-After").isPresent();
        }
        return response.statusCode() == 200
                && dataProvider.read(response.body()).introspection().equals(expected);
    }
}
