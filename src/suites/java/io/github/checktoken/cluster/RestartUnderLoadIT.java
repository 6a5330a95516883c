package io.github.checktoken.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.cluster.load.HaproxyServer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.PostgresServer;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What callers are told while nodes in production mode are stopped and started behind HAProxy. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartUnderLoadIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));
    private static final int NODES = 2;
    private static final int CONNECTIONS = 4;
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** For the answers to the last requests. */
    private static final Duration DRAINED = Duration.ofSeconds(1);

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PostgresServer postgres = new PostgresServer();
    private final HaproxyServer haproxy = new HaproxyServer();
    private final List<ProductionServer> nodes = new ArrayList<>();
    private DataProviderClient dataProvider;

    RestartUnderLoadIT() throws IOException {}

    @BeforeAll
    void startAll() throws IOException, InterruptedException, JOSEException {
        for (int node = 0; node < NODES; node++) {
            List<String> arguments = new ArrayList<>(postgres.arguments());
            arguments.addAll(List.of(
                    "--cache=ispn",
                    "--health-enabled=true",
                    "--http-management-port=" + DistributionServer.freePort()));
            nodes.add(new ProductionServer(
                    HOME.getParent(),
                    "keycloak-restarted-" + node,
                    List.of(JAR),
                    arguments,
                    List.of(),
                    Map.of("JAVA_HOME", System.getProperty("java.home"))));
        }
        haproxy.start(nodes);
        FreshRealm realm = new FreshRealm(haproxy);
        dataProvider = new NewDataProvider(
                        realm.admin(),
                        realm.url(),
                        new RSAKeyGenerator(2048).keyID("enc").generate())
                .create();
    }

    @AfterAll
    void stopAll() throws IOException {
        haproxy.close();
        nodes.forEach(ProductionServer::close);
        postgres.close();
    }

    @Test
    void noCallerNoticesThatOneNodeIsRestartedAfterTheOther() throws Exception {
        assertEquals(Set.of("200"), seenWhile(() -> {
            for (int node = 0; node < NODES; node++) {
                haproxy.drain(node);
                TimeUnit.NANOSECONDS.sleep(DRAINED.toNanos());
                nodes.get(node).stop();
                nodes.get(node).start();
                haproxy.use(node);
                awaitAnswerOf(node);
            }
        }));
    }

    @Test
    void callersAreToldToRepeatTheCallWhileNoNodeIsThere() throws Exception {
        assertEquals(Set.of("200", "503, Retry-After"), seenWhile(() -> {
            for (int node = 0; node < NODES; node++) {
                haproxy.drain(node);
            }
            TimeUnit.NANOSECONDS.sleep(DRAINED.toNanos());
            nodes.forEach(ProductionServer::stop);
            for (int node = 0; node < NODES; node++) {
                haproxy.use(node);
                nodes.get(node).start();
                awaitAnswerOf(node);
            }
        }));
    }

    private void awaitAnswerOf(int node) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!dataProvider
                .post("a-token")
                .headers()
                .allValues(HaproxyServer.NODE)
                .contains(HaproxyServer.name(node))) {
            assertTrue(System.nanoTime() < end, () -> "no answer of " + HaproxyServer.name(node));
        }
    }

    private interface Restart {
        void run() throws Exception;
    }

    /** @return each kind of answer that callers got, and the errors of connections */
    private Set<String> seenWhile(Restart restart) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        Map<String, Integer> seen = new ConcurrentSkipListMap<>();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < CONNECTIONS; caller++) {
            callers.add(CompletableFuture.runAsync(
                    () -> {
                        while (!ended.get()) {
                            seen.merge(call(), 1, Integer::sum);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        try {
            restart.run();
        } finally {
            ended.set(true);
            callers.forEach(CompletableFuture::join);
        }
        System.out.println("restart under load: " + seen);
        return seen.keySet();
    }

    private String call() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            HttpResponse<String> response = dataProvider.post("a-token");
            return response.statusCode()
                    + (response.headers().firstValue("Retry-After").isPresent() ? ", Retry-After" : "");
        } catch (UncheckedIOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
