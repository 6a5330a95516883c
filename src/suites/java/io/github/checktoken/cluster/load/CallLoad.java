package io.github.checktoken.cluster.load;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;

/**
 * Calls checktoken at HAProxy on four connections until it is closed: with a valid token, with the token of somebody who
 * has signed out, and with a wrong secret. What each answer must be is known.
 */
public final class CallLoad implements AutoCloseable {

    /** The node of a connection that HAProxy has closed. */
    public static final String CUT_OFF = "cut off";

    private static final int CONNECTIONS = 4;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final DataProviderClient dataProvider;
    private final String validToken;
    private final String signedOutToken;
    private final Map<String, Object> expected;
    private final Queue<Result> results = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    public CallLoad(Federation federation) {
        dataProvider = federation.tax();
        validToken = federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        Tokens signedOut = federation.town().signIn("camille", Federation.ALL_SCOPES);
        federation.town().logOut(signedOut);
        signedOutToken = signedOut.accessToken();
        expected = dataProvider.check(validToken).introspection();
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            Thread thread = new Thread(this::call, "load-" + connection);
            threads.add(thread);
            thread.start();
        }
    }

    /** What a call presents. */
    enum Kind {
        VALID_TOKEN,
        SIGNED_OUT_TOKEN,
        WRONG_SECRET
    }

    /**
     * @param asked when the call began
     * @param node the node that HAProxy chose
     * @param connectionError whether a node gave no answer
     */
    public record Result(
            Kind kind, Instant asked, Duration took, String node, int status, String body, boolean connectionError) {

        @Override
        public String toString() {
            return "%s at %s, %d ms, %s: %d %s"
                    .formatted(kind, asked, took.toMillis(), node, status, body.startsWith("eyJ") ? "" : body.strip());
        }
    }

    private void call() {
        for (int call = 0; !ended; call++) {
            Kind kind = Kind.values()[call % Kind.values().length];
            Instant asked = Instant.now();
            try {
                results.add(result(kind, asked, send(kind)));
            } catch (UncheckedIOException e) {
                // HAProxy has closed the connection, because the node's connection behind it broke.
                results.add(new Result(kind, asked, since(asked), CUT_OFF, 0, e.getMessage(), true));
            }
            try {
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static Result result(Kind kind, Instant asked, HttpResponse<String> response) {
        return new Result(
                kind,
                asked,
                since(asked),
                response.headers().firstValue(HaproxyServer.NODE).orElse("no node"),
                response.statusCode(),
                response.body(),
                HaproxyServer.isConnectionError(response));
    }

    private static Duration since(Instant asked) {
        return Duration.between(asked, Instant.now());
    }

    private HttpResponse<String> send(Kind kind) {
        String token = kind == Kind.SIGNED_OUT_TOKEN ? signedOutToken : validToken;
        String secret = kind == Kind.WRONG_SECRET ? "wrong-secret" : dataProvider.secret();
        return Http.send(Http.form(
                dataProvider.url(),
                Map.of("client_id", dataProvider.clientId(), "client_secret", secret, "token", token)));
    }

    /** Ends the load, and gives all of its results. */
    List<Result> results() {
        close();
        return List.copyOf(results);
    }

    /** @return the results that are neither right nor the connection error of a node */
    public List<Result> wrong() {
        return results().stream()
                .filter(result -> !result.connectionError() && !isRight(result))
                .toList();
    }

    public List<Result> connectionErrors() {
        return results().stream().filter(Result::connectionError).toList();
    }

    /** @return the number of answers that this node gave after a moment */
    public long answersOf(String node, Instant after) {
        return results().stream()
                .filter(result -> result.node().equals(node) && result.asked().isAfter(after))
                .filter(result -> !result.connectionError())
                .count();
    }

    public String summary() {
        List<Result> all = results();
        return "%d calls, %d connection errors, the longest took %d ms; by node: %s"
                .formatted(
                        all.size(),
                        connectionErrors().size(),
                        all.stream()
                                .mapToLong(result -> result.took().toMillis())
                                .max()
                                .orElse(0),
                        all.stream().collect(Collectors.groupingBy(Result::node, Collectors.counting())));
    }

    private boolean isRight(Result result) {
        if (result.kind() == Kind.WRONG_SECRET) {
            return result.status() == 401 && result.body().contains("invalid_client");
        }
        if (result.status() != 200) {
            return false;
        }
        Answer answer = dataProvider.read(result.body());
        return result.kind() == Kind.VALID_TOKEN
                ? answer.introspection().equals(expected)
                : answer.introspection().equals(Map.of("active", false));
    }

    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
