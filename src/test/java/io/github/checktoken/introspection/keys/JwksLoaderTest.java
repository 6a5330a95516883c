package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider.KnownDataProvider;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the cache together with real loads: a data provider that is saved again and again, with a host that is slow. */
class JwksLoaderTest {

    private static final int SAVES = 50;

    private final JwksLoader loader = new JwksLoader();
    private final EncryptionKeyCache cache = new EncryptionKeyCache(System::nanoTime);
    private final CloseableHttpClient http = HttpClients.createDefault();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch firstAsked = new CountDownLatch(1);
    private final CountDownLatch firstMayAnswer = new CountDownLatch(1);
    private final AtomicInteger fetches = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private HttpServer host;

    @BeforeEach
    void start() throws IOException {
        host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        host.setExecutor(threads);
        host.createContext("/", this::answer);
        host.start();
    }

    @AfterEach
    void stop() throws IOException {
        host.stop(0);
        threads.shutdownNow();
        loader.close();
        http.close();
    }

    @Test
    void savedClientGetsNoSetThatWasFetchedBeforeAndMakesNoQueueOfLoads() throws InterruptedException {
        CachedEncryptionKey first = findAfterASave();
        assertTrue(firstAsked.await(3, TimeUnit.SECONDS));
        List<CachedEncryptionKey> later =
                IntStream.range(1, SAVES).mapToObj(save -> findAfterASave()).toList();
        firstMayAnswer.countDown();

        assertEquals(Optional.of("key-1"), kid(first));
        later.forEach(call -> assertEquals(Optional.of("key-2"), kid(call)));
        assertEquals(2, fetches.get());
        assertEquals(1, mostAtOnce.get());
    }

    private CachedEncryptionKey findAfterASave() {
        cache.withdraw("client");
        String url = "http://127.0.0.1:" + host.getAddress().getPort();
        return cache.find(
                new EncryptionKeyCache.KeyId(new KnownDataProvider("realm", "client"), "ECDH-ES"),
                new ClientJwks("dp-unit", url, null),
                (address, slow) -> loader.load(address, slow, http, "realm"));
    }

    private static Optional<String> kid(CachedEncryptionKey found) {
        return found.orWait(System.nanoTime(), load -> load.awaitUntil(System.nanoTime() + 5_000_000_000L))
                .status(System.nanoTime())
                .key()
                .map(key -> key.getKid());
    }

    private void answer(HttpExchange exchange) throws IOException {
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        String kid = "key-" + fetches.incrementAndGet();
        firstAsked.countDown();
        try {
            firstMayAnswer.await();
            // All later calls have begun to wait for the second fetch by then.
            TimeUnit.MILLISECONDS.sleep(kid.equals("key-1") ? 0 : 500);
            byte[] set = new JWKSet(new ECKeyGenerator(Curve.P_256)
                            .keyID(kid)
                            .generate()
                            .toPublicJWK())
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, set.length);
            exchange.getResponseBody().write(set);
        } catch (InterruptedException | JOSEException e) {
            throw new IOException(e);
        } finally {
            atOnce.decrementAndGet();
            exchange.close();
        }
    }
}
