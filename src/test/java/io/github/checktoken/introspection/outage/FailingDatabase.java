package io.github.checktoken.introspection.outage;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.DatabaseServer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Makes a database fail while a data provider asks about a valid token, and checks every answer: it is the right one, or
 * a 503 that says {@code temporarily_unavailable}. The servers have {@link #LIMITS}.
 */
public final class FailingDatabase {

    /** The limits of the wait for the database that docs/production.md suggests. */
    public static final List<String> LIMITS = List.of("--db-connect-timeout=3", "--db-pool-acquisition-timeout=4");

    /** The wait for a connection of the pool. */
    private static final Duration ACQUISITION = Duration.ofSeconds(4);

    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final Duration HANG = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(1_500);
    private static final Duration AT_ONCE = Duration.ofMillis(500);
    private static final int CALLS_AT_ONCE = 2;

    private static final int CALLERS = 8;
    private static final int CLOSED = 40;
    private static final Duration BETWEEN = Duration.ofMillis(250);

    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration LATER_THAN_KEYCLOAK = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int RIGHT_IN_A_ROW = 10;

    private final DatabaseServer database;
    private final String realmUrl;
    private final DataProviderClient dataProvider;
    private final String token;
    private final Map<String, Object> expected;

    /** @param token a valid one */
    public FailingDatabase(DatabaseServer database, String realmUrl, DataProviderClient dataProvider, String token) {
        this.database = database;
        this.realmUrl = realmUrl;
        this.dataProvider = dataProvider;
        this.token = token;
        this.expected = dataProvider.check(token).introspection();
        assertEquals(true, expected.get("active"));
    }

    /**
     * @param asked time since the database hangs
     * @param right whether the answer is the right one or a 503
     */
    private record Call(Duration asked, Duration took, int status, boolean right) {}

    /** The database hangs for half a minute. Calls wait for the limits, and soon get 503 at once. */
    public void hangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Call>> pending = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        database.suspend();
        long begin = System.nanoTime();
        try {
            while (since(begin).compareTo(HANG) < 0) {
                for (int call = 0; call < CALLS_AT_ONCE; call++) {
                    pending.add(threads.submit(() -> call(begin)));
                }
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } finally {
            database.resume();
        }
        Duration hung = since(begin);
        Duration again = untilAnswered(System.nanoTime(), CompletableFuture.completedFuture(null), this::isAnswered);
        for (Future<Call> call : pending) {
            calls.add(call.get());
        }
        threads.shutdown();
        System.out.printf(
                "The database hung for %.1f s; answers are right %d ms after it continued%n",
                hung.toMillis() / 1000.0, again.toMillis());
        calls.forEach(call -> System.out.printf(
                "  asked after %5.1f s, waited %5.1f s: %d%n",
                call.asked().toMillis() / 1000.0, call.took().toMillis() / 1000.0, call.status()));
        assertWaits(calls, hung);
    }

    private static void assertWaits(List<Call> calls, Duration hung) {
        assertEquals(List.of(), calls.stream().filter(call -> !call.right()).toList());
        // Calls that had a connection wait as long as the database hangs. The others do not wait for longer than the
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
    }

    /** The database stays up, but closes all connections of the pool. */
    public void closesConnections() throws Exception {
        assertIsRightAsSoonAsKeycloak("all connections were closed", database::closeConnections);
    }

    /** The database stays up, but closes all connections again and again while they are used. */
    public void closesConnectionsInUse() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Integer>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            callers.add(threads.submit(() -> {
                int refused = 0;
                while (!over.get()) {
                    refused += isAnswered() ? 0 : 1;
                }
                return refused;
            }));
        }
        for (int i = 0; i < CLOSED; i++) {
            database.closeConnections();
            TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
        }
        over.set(true);
        int refused = 0;
        for (Future<Integer> caller : callers) {
            refused += caller.get();
        }
        threads.shutdown();
        System.out.printf("While connections were closed, %d calls got 503%n", refused);
        assertTrue(refused > 0);
        untilAnswered(System.nanoTime(), CompletableFuture.completedFuture(null), this::isAnswered);
    }

    /** The database is killed, and starts again a few seconds later. */
    public void restarts() throws Exception {
        assertIsRightAsSoonAsKeycloak("the database was killed", () -> {
            database.stop();
            try {
                TimeUnit.NANOSECONDS.sleep(OUTAGE.toNanos());
                assertEquals(503, dataProvider.post(token).statusCode());
            } finally {
                database.start();
            }
        });
    }

    private interface Failure {
        void happen() throws Exception;
    }

    /** Compares with Keycloak's own introspection, which a caller asks in the same way. */
    private void assertIsRightAsSoonAsKeycloak(String what, Failure failure) throws Exception {
        String introspection = realmUrl + "/protocol/openid-connect/token/introspect";
        Map<String, String> form =
                Map.of("client_id", dataProvider.clientId(), "client_secret", dataProvider.secret(), "token", token);
        ExecutorService threads = Executors.newFixedThreadPool(40);
        openConnections(threads);
        Future<Void> happens = threads.submit(() -> {
            failure.happen();
            return null;
        });
        long begin = System.nanoTime();
        Future<Duration> own = threads.submit(() -> untilAnswered(
                begin, happens, () -> Http.send(Http.form(introspection, form)).statusCode() == 200));
        Duration ours = untilAnswered(begin, happens, this::isAnswered);
        happens.get();
        threads.shutdown();
        System.out.printf(
                "After %s: Keycloak's introspection is right after %d ms, checktoken after %d ms%n",
                what, own.get().toMillis(), ours.toMillis());
        assertTrue(ours.compareTo(own.get().plus(LATER_THAN_KEYCLOAK)) <= 0);
    }

    /** Opens many connections, of which a single call at a time would take one after the other. */
    private void openConnections(ExecutorService threads) throws Exception {
        List<Future<HttpResponse<String>>> burst = new ArrayList<>();
        for (int call = 0; call < 400; call++) {
            burst.add(threads.submit(() -> dataProvider.post(token)));
        }
        for (Future<HttpResponse<String>> call : burst) {
            assertEquals(200, call.get().statusCode());
        }
    }

    /** @return when the first answer came after which all were right, the last of them after the failure */
    private static Duration untilAnswered(long begin, Future<?> failure, Callable<Boolean> call) throws Exception {
        Duration first = null;
        for (int right = 0; right < RIGHT_IN_A_ROW; ) {
            boolean over = failure.isDone();
            if (call.call()) {
                first = first == null ? since(begin) : first;
                right += over ? 1 : 0;
            } else {
                first = null;
                right = 0;
                // Keycloak logs a stack trace for each failed call.
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertTrue(since(begin).compareTo(LIMIT) < 0, "not right again within " + LIMIT);
        }
        return first;
    }

    /** A wrong answer fails the test. */
    private boolean isAnswered() {
        HttpResponse<String> response = dataProvider.post(token);
        assertTrue(isRight(response), () -> response.statusCode() + ": " + response.body());
        return response.statusCode() == 200;
    }

    private Call call(long begin) {
        Duration asked = since(begin);
        HttpResponse<String> response = dataProvider.post(token);
        Duration took = since(begin).minus(asked);
        // The key to verify an answer with is fetched from the server, which must not count.
        return new Call(asked, took, response.statusCode(), isRight(response));
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private boolean isRight(HttpResponse<String> response) {
        if (response.statusCode() == 503) {
            return Http.json(response.body()).path("error").asText().equals("temporarily_unavailable")
                    && response.headers().firstValue("Retry-After").isPresent();
        }
        return response.statusCode() == 200
                && dataProvider.read(response.body()).introspection().equals(expected);
    }
}
