package io.github.checktoken.introspection.keys;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.JwksServer.Behaviour;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.introspection.keys.UnusableKey.assertNoKey;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests when the host of a key set is asked, and what happens if it misbehaves. Nothing runs beside these tests, because
 * they measure times.
 */
@ExtendWith(KeycloakExtension.class)
@Isolated
class JwksHostIT {

    private static final String ANY_TOKEN = "any-token";
    private static final Duration FETCH_LIMIT = Duration.ofSeconds(3);
    private static final Duration MARGIN = Duration.ofMillis(1500);

    private static final ECKey KEY = ec("key");
    private static final ECKey OTHER = ec("other");

    private final Federation federation;

    JwksHostIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void keyComesFromTheJwksUrlAndIsFetchedOnce() {
        try (JwksServer host = host(KEY)) {
            DataProviderClient client = withHost(host, KEY).create();

            for (int call = 0; call < 20; call++) {
                assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
            }
            assertEquals(1, host.fetches());
        }
    }

    @Test
    void callsAtOnceFetchOnce() {
        try (JwksServer host = host(KEY)) {
            DataProviderClient client = withHost(host, KEY).create();

            for (HttpResponse<String> response : atOnce(20, client)) {
                assertEquals(200, response.statusCode(), response.body());
            }
            assertEquals(1, host.fetches());
        }
    }

    @Test
    void keysOfAnotherAddressNeverServe() {
        try (JwksServer first = host(KEY);
                JwksServer second = host(OTHER)) {
            DataProviderClient client = withHost(first, KEY).create();
            assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());

            moveKeysOf(client, second.url());
            assertEquals("other", keyId(client.post(ANY_TOKEN)));

            moveKeysOf(client, closed(host(KEY)));
            assertNoKey(client, "ECDH-ES");
        }
    }

    static Stream<Named<Behaviour>> misbehaviours() {
        return Stream.of(
                Named.of("sends 10 MB", JwksServer.flood(JwksServer.json(KEY), 10_000_000)),
                Named.of("sends 100 MB, compressed", gzip(JwksServer.json(KEY), 100_000_000)),
                Named.of("sends half of what it announced", half()),
                Named.of("hangs up", exchange -> {}),
                Named.of("fails", JwksServer.body(500, "application/json", JwksServer.json(KEY))),
                Named.of("has moved", JwksServer.body(404, "text/html", "<html>gone</html>")),
                Named.of("sends a page", JwksServer.body(200, "text/html", "<html>Welcome</html>")),
                Named.of("sends nothing", exchange -> exchange.sendResponseHeaders(204, -1)));
    }

    @ParameterizedTest
    @MethodSource("misbehaviours")
    void misbehavingHostIsA503InTime(Behaviour behaviour) {
        try (JwksServer host = host()) {
            host.behave(behaviour);
            DataProviderClient client = withHost(host, KEY).create();

            long start = System.nanoTime();
            assertNoKey(client, "ECDH-ES");
            assertWithin(FETCH_LIMIT.plus(MARGIN), start);
        }
    }

    /** Both at once, because each takes as long as a fetch may. */
    @Test
    void hostThatSaysNothingAndHostThatTricklesAreA503InTime() {
        try (JwksServer silent = host();
                JwksServer slow = host()) {
            silent.behave(JwksServer.silence());
            slow.behave(JwksServer.trickle());
            DataProviderClient first = withHost(silent, KEY).create();
            DataProviderClient second = withHost(slow, KEY).create();

            long start = System.nanoTime();
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> assertNoKey(second, "ECDH-ES"));
            assertNoKey(first, "ECDH-ES");
            other.join();
            assertWithin(FETCH_LIMIT.plus(MARGIN), start);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:99999/jwks.json", "http://no-such-host.invalid/jwks.json"})
    void addressThatLeadsNowhereIsA503(String url) {
        assertNoKey(ecdh().jwksUrl(url).create(), "ECDH-ES");
    }

    @Test
    void savingTheClientLoadsItsKeysAgain() {
        try (JwksServer host = host(KEY)) {
            DataProviderClient client = withHost(host, KEY).create();
            assertEquals("key", keyId(client.post(ANY_TOKEN)));
            host.serve(OTHER);
            assertEquals("key", keyId(client.post(ANY_TOKEN)));

            federation.admin().update(federation.admin().client(client.clientId()), representation -> {});

            assertEquals("other", keyId(client.post(ANY_TOKEN)));
            assertEquals(2, host.fetches());
        }
    }

    @Test
    void refusedConnectionIsA503() {
        assertEquals(
                "the host cannot be reached or refuses the connection",
                assertNoKey(ecdh().jwksUrl(closed(host(KEY))).create(), "ECDH-ES"));
    }

    @Test
    void redirectIsNotFollowed() {
        try (JwksServer target = host(KEY);
                JwksServer host = host()) {
            host.behave(JwksServer.redirect(target.url()));

            assertNoKey(withHost(host, KEY).create(), "ECDH-ES");
            assertEquals(0, target.fetches());
        }
    }

    @Test
    void failingHostIsAskedOnceAndWarnedOfOnce() throws IOException {
        try (JwksServer host = host()) {
            host.behave(JwksServer.body(500, "text/plain", "down"));
            DataProviderClient client = withHost(host, KEY).create();
            int before = log().size();

            for (int call = 0; call < 20; call++) {
                assertNoKey(client, "ECDH-ES");
            }

            assertEquals(1, host.fetches());
            List<String> written = logUntil(
                    before, 20, line -> line.contains("INTROSPECT_TOKEN_ERROR") && line.contains(client.clientId()));
            assertEquals(
                    1,
                    written.stream()
                            .filter(line -> line.contains("JWKS") && line.contains(client.clientId()))
                            .count());
            assertFalse(written.stream().anyMatch(line -> line.startsWith("\tat ")), written.toString());
        }
    }

    @Test
    void hostThatHangsSlowsNoOtherDataProviderHoweverManyCallsItGets() {
        federation.tax().check(ANY_TOKEN);
        try (JwksServer host = host()) {
            host.behave(JwksServer.silence());
            DataProviderClient hanging = withHost(host, KEY).create();
            CompletableFuture<List<HttpResponse<String>>> calls =
                    CompletableFuture.supplyAsync(() -> atOnce(200, hanging));
            for (long end = System.nanoTime() + 10_000_000_000L; host.fetches() == 0 && System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }

            long slowest = 0;
            int checks = 0;
            for (long start = System.nanoTime(); System.nanoTime() - start < 1_500_000_000L; checks++) {
                long call = System.nanoTime();
                federation.tax().post(ANY_TOKEN);
                slowest = Math.max(slowest, System.nanoTime() - call);
            }
            assertFalse(calls.isDone());
            assertTrue(slowest < 2_000_000_000L, checks + " calls, the slowest took " + slowest / 1_000_000 + " ms");
            assertTrue(calls.join().stream().allMatch(response -> response.statusCode() == 503));
            assertEquals(1, host.fetches());
        }
    }

    @Test
    void burstOfFirstCallsIsAnsweredThoughOtherHostsHang() {
        // With a container, 4 of 14 runs failed: some calls got no 200 within the 300 milliseconds. The host takes 150
        // of
        // these. The container reaches the host through a tunnel. Nobody has measured whether that is the reason.
        assumeTrue(federation.server() instanceof DistributionServer, "fails at times with a container");
        try (JwksServer hanging = host();
                JwksServer honest = host(KEY)) {
            hanging.behave(JwksServer.silence());
            honest.behave(JwksServer.after(Duration.ofMillis(150), JwksServer.json(KEY)));
            List<CompletableFuture<List<HttpResponse<String>>>> others = new ArrayList<>();
            for (int other = 0; other < 6; other++) {
                DataProviderClient client =
                        ecdh().jwksUrl(hanging.url() + "?" + other).create();
                others.add(CompletableFuture.supplyAsync(() -> atOnce(6, client)));
            }
            DataProviderClient client = withHost(honest, KEY).create();

            List<HttpResponse<String>> answers = atOnce(50, client);

            assertEquals(
                    List.of(),
                    answers.stream()
                            .map(HttpResponse::statusCode)
                            .filter(status -> status != 200)
                            .toList());
            assertEquals(1, honest.fetches());
            hanging.close();
            others.forEach(CompletableFuture::join);
        }
    }

    private JwksServer host(JWK... keys) {
        return new JwksServer(federation.server(), keys);
    }

    private NewDataProvider ecdh() {
        return federation.newDataProvider().encryptedWith("ECDH-ES");
    }

    private NewDataProvider withHost(JwksServer host, JWK key) {
        return ecdh().jwksUrl(host.url()).decryptingWith(key);
    }

    private void moveKeysOf(DataProviderClient client, String url) {
        federation
                .admin()
                .update(
                        federation.admin().client(client.clientId()),
                        representation ->
                                representation.withObject("/attributes").put("jwks.url", url));
    }

    private static String closed(JwksServer host) {
        host.close();
        return host.url();
    }

    private static void assertWithin(Duration limit, long start) {
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(taken.compareTo(limit) < 0, "took " + taken.toMillis() + " ms");
    }

    private static List<HttpResponse<String>> atOnce(int calls, DataProviderClient client) {
        ExecutorService threads = Executors.newFixedThreadPool(calls);
        try {
            List<CompletableFuture<HttpResponse<String>>> started = new ArrayList<>();
            for (int call = 0; call < calls; call++) {
                started.add(CompletableFuture.supplyAsync(() -> client.post(ANY_TOKEN), threads));
            }
            return started.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdown();
        }
    }

    private static String keyId(HttpResponse<String> response) {
        try {
            return JWEObject.parse(response.body()).getHeader().getKeyID();
        } catch (ParseException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    private List<String> log() throws IOException {
        return Files.readAllLines(federation.server().log());
    }

    /** Waits, because the server's log comes through a pipe, a little later than its answers. */
    private List<String> logUntil(int before, int count, Predicate<String> wanted) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        List<String> written;
        do {
            List<String> all = log();
            written = all.subList(before, all.size());
        } while (written.stream().filter(wanted).count() < count && System.nanoTime() < end);
        return written;
    }

    private static Behaviour half() {
        return exchange -> {
            byte[] jwks = JwksServer.json(KEY).getBytes();
            exchange.sendResponseHeaders(200, jwks.length);
            exchange.getResponseBody().write(jwks, 0, jwks.length / 2);
        };
    }

    private static Behaviour gzip(String text, int spaces) {
        byte[] compressed = compressed(text, spaces);
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, compressed.length);
            exchange.getResponseBody().write(compressed);
        };
    }

    private static byte[] compressed(String text, int spaces) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        byte[] piece = " ".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
            for (int written = 0; written < spaces; written += piece.length) {
                gzip.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    private static ECKey ec(String kid) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
