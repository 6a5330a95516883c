package io.github.checktoken.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.checktoken.testkit.MockPlatform;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What surrounds a call: {@code network.json} of the test kit, and addresses, proxies and hanging hosts. */
class NetworkTest {

    private static final TestClient CLIENT = KIT.clients().get(0);
    private static final String TOKEN = KIT.token("active");
    private static final String PUBLIC = "https://login.example.org";

    private static MockPlatform platform(String fault, String origin) throws IOException {
        return new MockPlatform(InetAddress.getLoopbackAddress(), 0, Set.of(fault), origin);
    }

    @Test
    void oddKeysAreLeftOut() throws IOException {
        try (MockPlatform platform = platform("odd-keys", null)) {
            assertPerson(TestCheckToken.builder(platform.issuer(), CLIENT));
        }
    }

    @Test
    void aCallWithoutAnAnswerIsRepeatedOnceWithANewAssertion() throws IOException {
        try (MockPlatform platform = platform("closes", null)) {
            CheckToken checkToken = TestCheckToken.unauthenticated(platform.issuer(), CLIENT)
                    .privateKeyJwt(KIT.key("data-provider-assertion"))
                    .build();
            for (int i = 0; i < 5; i++) {
                checkToken.check(TOKEN).require("tax_income").person();
            }
        }
    }

    @Test
    void hangingMetadataEndAllChecksAtTheDeadline() throws Exception {
        try (ServerSocket host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CheckToken checkToken = TestCheckToken.builder(issuer(host), CLIENT)
                    .timeBudget(Duration.ofMillis(700))
                    .build();
            ExecutorService threads = Executors.newFixedThreadPool(20);
            long start = System.nanoTime();
            for (Future<String> reason : threads.invokeAll(List.<Callable<String>>of(
                    () -> outcome(checkToken),
                    () -> outcome(checkToken),
                    () -> outcome(checkToken),
                    () -> outcome(checkToken)))) {
                assertEquals("timeout", reason.get());
            }
            long milliseconds = (System.nanoTime() - start) / 1_000_000;
            assertTrue(milliseconds < 1400, milliseconds + " ms");
            threads.shutdown();
        }
    }

    @Test
    void whoGetsNoTurnIsToldThatWeAreBusy() throws Exception {
        try (MockPlatform mock = platform("none", null)) {
            CheckToken.Builder builder =
                    TestCheckToken.builder(mock.issuer(), CLIENT).complete();
            Platform platform = new Platform(builder);
            platform.post(() -> builder.form(TOKEN), in(60_000));
            ExecutorService threads = Executors.newFixedThreadPool(64);
            for (int i = 0; i < 64; i++) {
                threads.submit(() -> platform.post(() -> builder.form("case.stalled"), in(3_000)));
            }
            Thread.sleep(1_000);
            assertReason("busy", () -> platform.post(() -> builder.form(TOKEN), in(200)));
            // Later, there are turns again.
            assertEquals(
                    200, platform.post(() -> builder.form(TOKEN), in(10_000)).statusCode());
            threads.shutdown();
        }
    }

    @Test
    void anInnerAddressReplacesThePublicOne() throws IOException {
        try (MockPlatform platform = platform("none", PUBLIC)) {
            CheckToken.Builder builder = TestCheckToken.unauthenticated(platform.issuer(), CLIENT)
                    .privateKeyJwt(KIT.key("data-provider-assertion"))
                    .connectTo(platform.origin());
            assertPerson(builder);
            for (String wrong : List.of("http://inner.example", platform.origin() + "/path", "inner.example", "")) {
                assertThrows(CheckTokenException.class, () -> builder.connectTo(wrong), wrong);
            }
        }
    }

    @Test
    void aForwardProxyIsUsedAndNamed() throws IOException {
        String unreachable = "http://127.0.0.1:1";
        InetSocketAddress proxy;
        try (MockPlatform platform = platform("none", unreachable)) {
            proxy = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(),
                    URI.create(platform.origin()).getPort());
            assertPerson(TestCheckToken.builder(platform.issuer(), CLIENT).transport(by(proxy)));
        }
        CheckToken checkToken = TestCheckToken.builder(unreachable + "/realms/demo/api/v2", CLIENT)
                .transport(by(proxy))
                .build();
        CheckTokenException refusal = assertThrows(CheckTokenException.class, () -> checkToken.check(TOKEN));
        assertEquals("unreachable", refusal.reason());
        assertTrue(refusal.getMessage().contains("proxy: "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(":" + proxy.getPort()), refusal.getMessage());
    }

    private static HttpClient by(InetSocketAddress proxy) {
        return HttpClient.newBuilder().proxy(ProxySelector.of(proxy)).build();
    }

    private static void assertPerson(CheckToken.Builder builder) {
        assertEquals(
                "eidas1",
                builder.build().check(TOKEN).require("tax_income").person().acr());
    }

    private static String outcome(CheckToken checkToken) {
        try {
            checkToken.check(TOKEN).require("tax_income").person();
            return "person";
        } catch (CheckTokenException e) {
            return e.reason();
        }
    }

    private static String issuer(ServerSocket host) {
        return "http://127.0.0.1:" + host.getLocalPort() + "/realms/demo/api/v2";
    }

    private static void assertReason(String reason, Executable call) {
        assertEquals(reason, assertThrows(CheckTokenException.class, call).reason());
    }

    private static long in(long milliseconds) {
        return System.nanoTime() + Duration.ofMillis(milliseconds).toNanos();
    }
}
