package io.github.checktoken.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * A platform that lies about its metadata, its keys and its answers: nothing is accepted, and each refusal is a {@link
 * CheckTokenException}.
 *
 * <p>System property {@code lies}: how many; {@code seed}: the seed of an earlier run.
 */
class LiesTest {

    private static final int COUNT = Integer.getInteger("lies", 300);
    private static final TestClient CLIENT = KIT.clients().get(0);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Integer> refusals = new TreeMap<>();
    private final HttpClient transport = HttpClient.newHttpClient();
    private final List<String> wrongTokens = KIT.cases().stream()
            .filter(one -> one.reason() != null && !one.reason().matches("timeout|too-large"))
            .filter(one -> one.client() == null && one.before() == null)
            .map(one -> one.token())
            .toList();

    private MockPlatform right;
    private HttpServer liar;
    private String metadata;
    private String keys;
    private int status;

    @BeforeEach
    void startPlatforms() throws IOException {
        liar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        liar.setExecutor(Executors.newCachedThreadPool());
        right = new MockPlatform(InetAddress.getLoopbackAddress(), 0);
        liar.createContext("/", exchange -> answer(exchange, metadata));
        liar.createContext("/keys", exchange -> answer(exchange, keys));
        liar.createContext("/answer", exchange -> answer(exchange, oddText()));
        liar.start();
    }

    @AfterEach
    void stopPlatforms() {
        liar.stop(0);
        right.close();
    }

    @Test
    void noLieIsAccepted() {
        for (int i = 0; i < COUNT; i++) {
            int lie = random.nextInt(6);
            String told = lie == 0 ? refusedByTheRightOne() : toldByTheLiar(lie);
            if (told.equals("accepted")) {
                fail("seed " + seed + ", lie " + i + ": " + metadata + " " + keys);
            }
            refusals.merge(told, 1, Integer::sum);
        }
        System.out.printf("%d lies, seed %d: 0 accepted, refused: %s%n", COUNT, seed, refusals);
        assertTrue(refusals.size() >= 8, "the lies reach few checks: " + refusals);
    }

    /** A wrong answer of the test kit, which only its cases make. */
    private String refusedByTheRightOne() {
        return outcome(right.issuer(), right.origin(), wrongTokens.get(random.nextInt(wrongTokens.size())));
    }

    private String toldByTheLiar(int lie) {
        String origin = "http://127.0.0.1:" + liar.getAddress().getPort();
        Map<String, Object> named = new LinkedHashMap<>(Map.of(
                "issuer", right.issuer(), "jwks_uri", origin + "/keys", "introspection_endpoint", origin + "/answer"));
        Map<String, Object> set =
                new LinkedHashMap<>(KIT.keySet("platform").toPublicJWKSet().toJSONObject());
        status = lie == 4 ? 200 + 100 * random.nextInt(4) + 1 + random.nextInt(3) : 200;
        if (lie == 1) {
            String member = List.copyOf(named.keySet()).get(random.nextInt(named.size()));
            named.put(member, odd());
        } else if (lie == 2) {
            set.put("keys", odd());
        }
        metadata = lie == 3 ? oddText() : JSONObjectUtils.toJSONString(named);
        keys = JSONObjectUtils.toJSONString(set);
        return outcome(right.issuer(), origin, KIT.token("active"));
    }

    private String outcome(String issuer, String connectTo, String token) {
        try {
            TestCheckToken.builder(issuer, CLIENT)
                    .transport(transport)
                    .connectTo(connectTo)
                    .timeBudget(Duration.ofSeconds(20))
                    .build()
                    .check(token);
            return "accepted";
        } catch (CheckTokenException e) {
            return e.reason();
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + metadata + " " + keys, e);
        }
    }

    private Object odd() {
        List<Object> odd = new ArrayList<>(List.of(
                7,
                -1.5e300,
                true,
                "",
                " ",
                "null",
                "http://",
                "https://evil.example/",
                "http://127.0.0.1:1/",
                "//x",
                "%",
                "\u0000",
                List.of(),
                List.of(List.of()),
                Map.of(),
                Map.of("toString", 1),
                Map.of("keys", 7),
                List.of(Map.of("kty", "EC", "crv", "P-256", "x", "AA", "y", "AA")),
                right.origin() + "/%zz",
                right.origin() + ".evil.example/",
                right.origin() + "@evil.example/",
                List.of("https://evil.example")));
        return random.nextInt(12) == 0 ? null : odd.get(random.nextInt(odd.size()));
    }

    private String oddText() {
        return switch (random.nextInt(6)) {
            case 0 -> "[".repeat(1 + random.nextInt(100_000));
            case 1 -> "{\"issuer\":".repeat(1 + random.nextInt(10_000));
            case 2 -> "";
            case 3 -> "null";
            case 4 -> String.valueOf(odd());
            default -> {
                byte[] bytes = new byte[random.nextInt(300)];
                random.nextBytes(bytes);
                yield new String(bytes, StandardCharsets.ISO_8859_1);
            }
        };
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            boolean isCheck = exchange.getRequestMethod().equals("POST");
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/token-introspection+jwt");
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isCheck ? status : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
