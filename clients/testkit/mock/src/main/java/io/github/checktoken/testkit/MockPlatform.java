package io.github.checktoken.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.testkit.CallError.Refusal;

/**
 * A platform that answers each access token with the case of {@code cases.json} that the token names, right or wrong. For
 * tests only: its keys are published.
 */
public final class MockPlatform implements AutoCloseable {

    private static final int DEFAULT_PORT = 8181;
    private static final int STALL_SECONDS = 60;

    private final TestKit kit = new TestKit();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "mock platform");
        thread.setDaemon(true);
        return thread;
    });
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger callsElsewhere = new AtomicInteger();
    /** The client and case of each call that got its first answer, and not yet the second one. */
    private final Set<String> answeredOnce = ConcurrentHashMap.newKeySet();

    private final HttpServer server;
    private final HttpServer elsewhere;
    private final Addresses addresses;
    private final AnswerMaker answers;
    private final ClientAuthentication authentication;

    /** @param port 0 for any free one */
    public MockPlatform(InetAddress address, int port) throws IOException {
        this(address, port, Set.of(), null);
    }

    /**
     * @param faults those of {@code network.json} that it has
     * @param publicOrigin under which it is known, if that is not where it listens; or null
     */
    public MockPlatform(InetAddress address, int port, Set<String> faults, String publicOrigin) throws IOException {
        Faults unkind = new Faults(faults);
        server = HttpServer.create(new InetSocketAddress(address, port), 0);
        elsewhere = HttpServer.create(new InetSocketAddress(address, 0), 0);
        addresses = new Addresses(publicOrigin == null ? origin(server) : publicOrigin, kit.realmPath(), origin(elsewhere));
        answers = new AnswerMaker(kit, addresses);
        authentication = new ClientAuthentication(kit, addresses);
        String realm = kit.realmPath();
        server.createContext("/", exchange -> json(exchange, 404, Map.of("error", "Not found")));
        for (String document : List.of("openid-configuration", "oauth-authorization-server")) {
            server.createContext(
                    realm + "/api/v2/.well-known/" + document, exchange -> json(exchange, 200, metadata(addresses)));
        }
        server.createContext(realm + "/protocol/openid-connect/certs", exchange -> json(exchange, 200, unkind.jwks(answers.jwks())));
        server.createContext(realm + "/api/v2/checktoken", unkind.closing(this::checkToken));
        server.createContext(realm + "/checktoken", unkind.closing(this::checkToken));
        server.createContext("/cases", exchange -> json(exchange, 200, Map.of("cases", cases())));
        server.createContext("/elsewhere", exchange -> json(exchange, 200, Map.of("calls", callsElsewhere.get())));
        elsewhere.createContext("/", exchange -> {
            callsElsewhere.incrementAndGet();
            if (exchange.getRequestURI().getPath().equals("/jwks")) {
                json(exchange, 200, kit.keySet("foreign").toPublicJWKSet().toJSONObject());
            } else {
                TestClient client = kit.clients().get(0);
                send(exchange, answers.answer(kit.caseOf("case.active"), client, now()));
            }
        });
        server.setExecutor(threads);
        elsewhere.setExecutor(threads);
        server.start();
        elsewhere.start();
    }

    /** @return {@code {realm URL}/api/v2} */
    public String issuer() {
        return addresses.issuer();
    }

    /** @return where it listens */
    public String origin() {
        return origin(server);
    }

    /** @return how often somebody followed a redirect or a {@code jku} to the other host */
    public int callsElsewhere() {
        return callsElsewhere.get();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        elsewhere.stop(0);
        threads.shutdownNow();
    }

    private void checkToken(HttpExchange exchange) throws IOException {
        MockAnswer answer;
        try {
            Call call = Call.read(exchange);
            TestClient client = authentication.authenticate(call);
            TestCase testCase = kit.caseOf(call.required("token"));
            if (testCase.client() != null && !testCase.client().equals(client.clientId())) {
                throw new Refusal(CallError.INVALID_REQUEST);
            }
            MockAnswer first = answers.firstAnswer(testCase);
            String calls = client.clientId() + " " + testCase.name();
            boolean once = first != null && !answeredOnce.remove(calls) && answeredOnce.add(calls);
            answer = once ? first : answers.answer(testCase, client, now());
        } catch (Refusal e) {
            answer = e.answer();
        }
        send(exchange, answer);
    }

    private List<Map<String, Object>> cases() {
        return kit.cases().stream()
                .map(testCase -> {
                    Map<String, Object> members = new LinkedHashMap<>(testCase.members());
                    members.put("token", testCase.token());
                    members.put("client", kit.clientOf(testCase).clientId());
                    return members;
                })
                .toList();
    }

    static Map<String, Object> metadata(Addresses addresses) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("issuer", addresses.issuer());
        metadata.put("introspection_endpoint", addresses.issuer() + "/checktoken");
        metadata.put("jwks_uri", addresses.jwks());
        metadata.put(
                "introspection_endpoint_auth_methods_supported",
                List.of("client_secret_basic", "client_secret_post", "private_key_jwt"));
        metadata.put("introspection_endpoint_auth_signing_alg_values_supported", List.of("ES256"));
        metadata.put("introspection_signing_alg_values_supported", List.of("RS256", "PS256", "ES256"));
        metadata.put(
                "introspection_encryption_alg_values_supported", List.of("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW"));
        metadata.put("introspection_encryption_enc_values_supported", List.of("A256GCM", "A128CBC-HS256"));
        return metadata;
    }

    private void json(HttpExchange exchange, int status, Map<String, Object> body) throws IOException {
        send(
                exchange,
                new MockAnswer(
                        status, Map.of("Content-Type", "application/json"), JSONObjectUtils.toJSONString(body), false));
    }

    private void send(HttpExchange exchange, MockAnswer answer) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, (String) value));
            byte[] body = answer.bytes();
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            OutputStream stream = exchange.getResponseBody();
            if (answer.stall()) {
                stream.write(body, 0, body.length / 2);
                stream.flush();
                closed.await(STALL_SECONDS, TimeUnit.SECONDS);
            } else {
                stream.write(body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long now() {
        return Clock.systemUTC().instant().getEpochSecond();
    }

    private static String origin(HttpServer server) {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /**
     * Starts the platform, or with {@code --vectors FOLDER TIME} writes an answer of each case.
     *
     * @param arguments none, or as above; the time as {@code 2026-12-01T12:00:00Z}
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 3 && arguments[0].equals("--vectors")) {
            new VectorWriter(Path.of(arguments[1]), Instant.parse(arguments[2])).write();
            return;
        }
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", Integer.toString(DEFAULT_PORT)));
        try (MockPlatform platform = new MockPlatform(
 InetAddress.getByName("127.0.0.1"), port, Set.of(System.getenv().getOrDefault("FAULTS", "").split(",")), null)) {
            System.out.println("Issuer: " + platform.issuer());
            System.out.println("Cases:  " + platform.addresses.origin() + "/cases");
            new CountDownLatch(1).await();
        }
    }
}
