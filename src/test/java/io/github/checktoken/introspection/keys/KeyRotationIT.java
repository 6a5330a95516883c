package io.github.checktoken.introspection.keys;

import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code mvn verify -Dsuite=long} runs these tests: one waits until a set is loaded again, which is after 5 minutes. */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class KeyRotationIT {

    private static final int CONNECTIONS = 8;
    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final Duration ROTATION = Duration.ofSeconds(10);
    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final Duration END = LIFETIME.plusSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration SAVES = Duration.ofSeconds(30);
    private static final Duration BETWEEN_SAVES = Duration.ofMillis(100);

    private final Federation federation;

    KeyRotationIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void rotationBehindTheAddressFailsNoAnswerAndRetiresTheOldKeyInTime() throws Exception {
        RSAKey old = key("old");
        RSAKey next = key("next");
        try (JwksServer host = new JwksServer(federation.server(), old)) {
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            Instant begin = Instant.now();

            List<Answer> answers = askOnEveryConnection(client, begin.plus(END), PAUSE, () -> {
                Thread.sleep(ROTATION.toMillis());
                host.serve(next);
                return null;
            });

            assertEquals(List.of(), failed(answers));
            assertTrue(answers.stream().anyMatch(answer -> answer.kid().equals("old")));
            assertEquals(
                    List.of(),
                    answers.stream()
                            .filter(answer ->
                                    answer.asked().isAfter(begin.plus(LIFETIME).plus(MARGIN)))
                            .filter(answer -> !answer.kid().equals("next"))
                            .toList());
            assertEquals(2, host.fetches());
            System.out.println("Key rotation: " + answers.size() + " answers on " + CONNECTIONS
                    + " connections, none failed, " + host.fetches() + " fetches");
        }
    }

    /** Calls that run while the client is saved read it one by one, and each newer state makes the load before it void. */
    @Test
    void savingTheClientFailsNoCall() throws Exception {
        try (JwksServer host = new JwksServer(federation.server(), key("only"))) {
            DataProviderClient client =
                    federation.newDataProvider().jwksUrl(host.url()).create();
            String path = federation.admin().client(client.clientId());
            Instant end = Instant.now().plus(SAVES);

            List<Answer> answers = askOnEveryConnection(client, end, Duration.ZERO, () -> {
                while (Instant.now().isBefore(end)) {
                    federation.admin().update(path, unchanged -> {});
                    Thread.sleep(BETWEEN_SAVES.toMillis());
                }
                return null;
            });

            assertEquals(List.of(), failed(answers));
            System.out.println(
                    "Saved client: " + answers.size() + " answers, none failed, " + host.fetches() + " fetches");
        }
    }

    /** @param asked when the call began */
    private record Answer(Instant asked, int status, String kid) {}

    private static List<Answer> failed(List<Answer> answers) {
        return answers.stream().filter(answer -> answer.status() != 200).toList();
    }

    /** @param meanwhile runs while the calls are made */
    private static List<Answer> askOnEveryConnection(
            DataProviderClient client, Instant end, Duration pause, Callable<Void> meanwhile) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<List<Answer>>> all = IntStream.range(0, CONNECTIONS)
                    .mapToObj(connection -> threads.submit(() -> askUntil(client, end, pause)))
                    .toList();
            meanwhile.call();
            List<Answer> answers = new ArrayList<>();
            for (Future<List<Answer>> each : all) {
                answers.addAll(each.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Answer> askUntil(DataProviderClient client, Instant end, Duration pause)
            throws InterruptedException {
        List<Answer> answers = new ArrayList<>();
        for (Instant asked = Instant.now(); asked.isBefore(end); asked = Instant.now()) {
            HttpResponse<String> response = client.post("any-token");
            answers.add(new Answer(asked, response.statusCode(), kid(response)));
            Thread.sleep(pause.toMillis());
        }
        return answers;
    }

    private static String kid(HttpResponse<String> response) {
        try {
            return JWEObject.parse(response.body()).getHeader().getKeyID();
        } catch (ParseException e) {
            return response.body();
        }
    }

    private static RSAKey key(String kid) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(kid).generate();
    }
}
