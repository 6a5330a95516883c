package io.github.checktoken.client;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * 500 checks at once by the mock platform for Node, which takes 100 at once (HTTP/2) and needs 50 ms for each. Its
 * certificate is one that only a trust store of our own knows.
 */
class BurstTest {

    private static final TestClient CLIENT = KIT.clients().get(0);
    private static final int AT_ONCE = 500;
    private static final String PASSWORD = "for-tests-only";

    @TempDir
    private Path folder;

    @Test
    void eachIsAnsweredOrRefusedAsBusy() throws Exception {
        KeyStore certificate = CertificateTest.keyStore(folder);
        Process platform = startPlatform();
        try (BufferedReader output = platform.inputReader()) {
            String realm = output.readLine().replace("Realm: ", "");
            CheckToken.Builder builder =
                    TestCheckToken.builder(realm + "/api/v2", CLIENT).trust(certificate);
            CheckToken patient = builder.timeBudget(Duration.ofMinutes(1)).build();
            assertEquals(Map.of("person", AT_ONCE), outcomes("check, patient", () -> outcome(patient)));
            CheckToken hurried = builder.timeBudget(Duration.ofMillis(250)).build();
            outcome(hurried);
            Map<String, Integer> outcomes = outcomes("check, hurried", () -> outcome(hurried));
            assertTrue(List.of("busy", "person", "timeout").containsAll(outcomes.keySet()), outcomes.toString());
            assertTrue(outcomes.containsKey("busy"), outcomes.toString());
            HttpClient bare = builder.complete().http;
            Map<String, Integer> failures = outcomes("bare HttpClient", () -> bare(bare, realm));
            assertTrue(failures.getOrDefault("IOException", 0) > 0, "too few for the limit: " + failures);
        } finally {
            platform.destroy();
        }
    }

    private Process startPlatform() throws Exception {
        ProcessBuilder node = new ProcessBuilder("node", "../testkit/mock-node/main.js");
        node.environment()
                .putAll(Map.of(
                        "PORT",
                        "0",
                        "FAULTS",
                        "http2,slow",
                        "PASSPHRASE",
                        PASSWORD,
                        "PFX",
                        folder.resolve("keys.p12").toString()));
        boolean hasNode =
                Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.exists(Path.of(path, "node")));
        assumeTrue(hasNode || System.getenv("CI") != null, "Node is missing");
        return node.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static Map<String, Integer> outcomes(String name, Callable<String> check) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        CountDownLatch start = new CountDownLatch(AT_ONCE);
        long[] times = new long[AT_ONCE];
        Map<String, Integer> outcomes = new TreeMap<>();
        List<Future<String>> all = Stream.iterate(0, i -> i + 1)
                .limit(AT_ONCE)
                .map(i -> threads.submit(() -> {
                    start.countDown();
                    start.await();
                    long began = System.nanoTime();
                    String outcome = check.call();
                    times[i] = System.nanoTime() - began;
                    return outcome;
                }))
                .toList();
        for (Future<String> one : all) {
            outcomes.merge(one.get(), 1, Integer::sum);
        }
        threads.shutdown();
        Arrays.sort(times);
        System.out.printf("%s: %s, p99 %d ms%n", name, outcomes, times[AT_ONCE * 99 / 100] / 1_000_000);
        return outcomes;
    }

    private static String outcome(CheckToken checkToken) {
        try {
            checkToken.check(KIT.token("active")).require("tax_income").person();
            return "person";
        } catch (CheckTokenException e) {
            return e.reason();
        }
    }

    private static String bare(HttpClient http, String realm) {
        String form = "client_id=" + CLIENT.clientId() + "&client_secret=" + CLIENT.secret() + "&token=case.active";
        HttpRequest request = HttpRequest.newBuilder(URI.create(realm + "/api/v2/checktoken"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        try {
            return "status " + http.send(request, BodyHandlers.ofString()).statusCode();
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }
}
