package io.github.checktoken.keys;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.JwksServer.Behaviour;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests which key an answer is encrypted to, and what happens if the host of the keys misbehaves. The key is looked up
 * before the token is checked, so the token can be any text.
 */
@ExtendWith(KeycloakExtension.class)
@Isolated
class EncryptionKeysIT {

    private static final String ANY_TOKEN = "any-token";
    private static final Duration FETCH_LIMIT = Duration.ofSeconds(3);
    private static final Duration MARGIN = Duration.ofMillis(1500);

    private static final ECKey KEY = ec("key");
    private static final ECKey OTHER = ec("other");
    private static final RSAKey RSA = rsa(2048);

    private final Federation federation;

    EncryptionKeysIT(Federation federation) {
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

    @ParameterizedTest
    @ValueSource(strings = {"2026-01", "clé n° 1", "\"},\r\n\u2028../{}\\", " "})
    void kidIsExactlyTheKeys(String kid) {
        ECKey key = new ECKey.Builder(KEY).keyID(kid).build();

        DataProviderClient client = ecdh().key(key).create();

        assertEquals(kid, client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void keyWithoutKidUseAndAlgorithmServesAndTheAnswerHasNoKid() {
        ECKey bare = new ECKey.Builder(KEY).keyID(null).build();

        DataProviderClient client = ecdh().key(bare).create();

        assertNull(client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void signatureKeyIsNotUsedThoughItIsTheOnlyOne() {
        RSAKey signing = new RSAKey.Builder(RSA).keyUse(KeyUse.SIGNATURE).build();

        assertNoKey(federation.newDataProvider().key(signing).create(), "RSA-OAEP-256");
    }

    @Test
    void keyWhoseOperationsAreSignaturesIsNotUsedThoughItIsTheOnlyOne() {
        String jwks = JwksServer.json(RSA).replace("\"kty\"", "\"key_ops\":[\"verify\"],\"kty\"");

        assertNoKey(federation.newDataProvider().jwks(jwks).create(), "RSA-OAEP-256");
    }

    @Test
    void keyThatNamesTheAlgorithmWins() {
        JWK named = new ECKey.Builder(KEY)
                .keyID("named")
                .algorithm(JWEAlgorithm.ECDH_ES)
                .build();
        JWK wrapping = named(OTHER, "wrapping", JWEAlgorithm.ECDH_ES_A128KW);

        DataProviderClient client = ecdh().decryptingWith(named)
                .jwks(JwksServer.json(RSA, OTHER, wrapping, named))
                .create();

        assertEquals("named", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void rsaKeyUnder2048BitsIsNotUsed() {
        assertNoKey(federation.newDataProvider().key(rsa(1024)).create(), "RSA-OAEP-256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "{\"kty\":\"RSA\",\"n\":\"%%%\",\"e\":\"AQAB\"}",
                "{\"kty\":\"RSA\",\"x5c\":\"text\"}",
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}"
            })
    void brokenKeyInTheSetSpoilsNoOther(String broken) {
        String jwks = JwksServer.json(KEY).replace("[", "[" + broken + ",");

        DataProviderClient client = ecdh().decryptingWith(KEY).jwks(jwks).create();

        assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "null", "{\"keys\":[]}"})
    void inlineSetWithoutAKeyIsA503(String jwks) {
        assertNoKey(ecdh().jwks(jwks).create(), "ECDH-ES");
    }

    @Test
    void missingKeyIsAnEventThatNamesTheReason() {
        DataProviderClient client = ecdh().key(RSA).create();

        assertNoKey(client, "ECDH-ES");

        JsonNode events =
                federation.admin().get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + Http.encode(client.clientId()));
        assertEquals(1, events.size());
        assertEquals("token_introspection_failed", events.get(0).path("error").asText());
        assertEquals(
                "no usable encryption key for ECDH-ES",
                events.get(0).path("details").path("reason").asText());
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
                Named.of("says nothing", JwksServer.silence()),
                Named.of("sends a byte now and then", JwksServer.trickle()),
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

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:99999/jwks.json", "http://no-such-host.invalid/jwks.json"})
    void addressThatLeadsNowhereIsA503(String url) {
        assertNoKey(ecdh().jwksUrl(url).create(), "ECDH-ES");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/jwks.json", "ftp://dp.example.org/jwks.json", "http://user:word@127.0.0.1/jwks.json"})
    void addressThatIsNeverAskedCannotBeSaved(String url) {
        assertNotSaved(attributes -> attributes.put("use.jwks.url", "true").put("jwks.url", url), "the JWKS URL ");
    }

    @Test
    void setThatIsTooLargeCannotBeSaved() {
        String keys = String.join(",", Collections.nCopies(51, "{}"));
        assertNotSaved(inline("{\"keys\":[" + keys + "]}"), "more than 50 keys");
        assertNotSaved(inline("{\"keys\":[]}" + " ".repeat(64 * 1024)), "more than 65536 bytes");
    }

    /** An administrator must be able to do this in an emergency. */
    @Test
    void dataProviderWithSuchASetCanBeDisabled() {
        DataProviderClient client = ecdh().key(KEY).create();
        federation.admin().update(federation.admin().client(client.clientId()), representation -> {
            representation.put("enabled", false);
            inline("{\"keys\":[]}" + " ".repeat(64 * 1024)).accept(representation.withObject("/attributes"));
        });
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
        assertNoKey(ecdh().jwksUrl(closed(host(KEY))).create(), "ECDH-ES");
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
    void rsaKeyThatHidesNothingIsNotEncryptedTo() {
        String jwks = JwksServer.json(RSA).replace("\"e\":\"AQAB\"", "\"e\":\"AQ\"");
        assertTrue(jwks.contains("\"AQ\""));
        assertNoKey(federation.newDataProvider().jwks(jwks).create(), "RSA-OAEP-256");
    }

    @Test
    void hostThatHangsLeavesThreadsToEverybodyElse() {
        try (JwksServer host = host()) {
            host.behave(JwksServer.silence());
            DataProviderClient hanging = withHost(host, KEY).create();
            CompletableFuture<List<HttpResponse<String>>> calls =
                    CompletableFuture.supplyAsync(() -> atOnce(200, hanging));
            for (long end = System.nanoTime() + 10_000_000_000L; host.fetches() == 0 && System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }

            long start = System.nanoTime();
            federation.tax().post(ANY_TOKEN);
            long took = (System.nanoTime() - start) / 1_000_000;

            assertTrue(took < 2_000, "took " + took + " ms");
            assertTrue(calls.join().stream().allMatch(response -> response.statusCode() == 503));
        }
    }

    @Test
    void hostThatHangsSlowsNoOtherDataProvider() {
        federation.tax().check(ANY_TOKEN);
        try (JwksServer host = host()) {
            host.behave(JwksServer.silence());
            DataProviderClient hanging = withHost(host, KEY).create();
            CompletableFuture<List<HttpResponse<String>>> calls =
                    CompletableFuture.supplyAsync(() -> atOnce(10, hanging));
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
            others.forEach(CompletableFuture::join);
        }
    }

    private void assertNotSaved(Consumer<ObjectNode> keys, String reason) {
        DataProviderClient client = ecdh().key(KEY).create();
        String path = federation.admin().client(client.clientId());
        ObjectNode representation = (ObjectNode) federation.admin().get(path);
        keys.accept(representation.putObject("attributes"));

        HttpResponse<String> response = federation.admin().send("PUT", path, representation);

        assertEquals(400, response.statusCode(), response.body());
        assertTrue(response.body().contains(reason), response.body());
        assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    private static Consumer<ObjectNode> inline(String jwks) {
        return attributes -> attributes
                .put("use.jwks.url", "false")
                .put("use.jwks.string", "true")
                .put("jwks.string", jwks);
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

    private static void assertNoKey(DataProviderClient client, String algorithm) {
        HttpResponse<String> response = client.post(ANY_TOKEN);
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "application/json",
                response.headers().firstValue("Content-Type").orElse(null));
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
        JsonNode error = Http.json(response.body());
        assertEquals("temporarily_unavailable", error.path("error").asText());
        assertEquals(
                "No usable encryption key for " + algorithm + ".",
                error.path("error_description").asText());
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

    private static JWK named(ECKey key, String kid, Algorithm algorithm) {
        return new ECKey.Builder(key).keyID(kid).algorithm(algorithm).build();
    }

    private static ECKey ec(String kid) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsa(int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID("rsa").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
