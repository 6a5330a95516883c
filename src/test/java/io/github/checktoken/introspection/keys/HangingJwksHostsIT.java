package io.github.checktoken.introspection.keys;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Data providers whose hosts hang must not slow down anybody else. The test measures how long logins and the calls of
 * another data provider take, before the hosts hang and while they hang.
 */
@ExtendWith(KeycloakExtension.class)
@Tag("long")
class HangingJwksHostsIT {

    private static final String ANY_TOKEN = "any-token";
    private static final int MEASURED = 150;
    private static final double FACTOR = 1.5;

    /** How much two measurements can differ on a busy machine, even if nothing hangs. */
    private static final Duration NOISE = Duration.ofMillis(150);

    /** How often each data provider with a hanging host calls. */
    private static final Duration PERIOD = Duration.ofSeconds(5);

    /** From {@link CachedEncryptionKey}, with a second to spare. */
    private static final Duration KEYS_ARE_FRESH = CachedEncryptionKey.REFRESH_INTERVAL.plusSeconds(1);

    private static final Duration FAILURE_IS_REMEMBERED = CachedEncryptionKey.RETRY_INTERVAL.plusSeconds(1);

    private final Federation federation;

    HangingJwksHostsIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @CsvSource({"100,false", "300,false", "100,true", "300,true"})
    void loginsAndOtherDataProvidersTakeAsLongAsBefore(int hosts, boolean keysAreKnown)
            throws JOSEException, InterruptedException {
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        try (JwksServer host = new JwksServer(federation.server(), key);
                DemoPerson person = new DemoPerson(federation.admin(), List.of(DemoPerson.PASSWORD), List.of())) {
            List<DataProviderClient> clients = new ArrayList<>();
            for (int i = 0; i < hosts; i++) {
                clients.add(federation
                        .newDataProvider()
                        .encryptedWith("ECDH-ES")
                        .jwksUrl(host.url() + "?" + i)
                        .decryptingWith(key)
                        .create());
            }
            // The data providers call before and then, because each call costs the server something, whoever hangs.
            if (!keysAreKnown) {
                host.behave(JwksServer.body(404, "text/plain", "no keys here"));
            }
            clients.forEach(client -> client.post(ANY_TOKEN));
            measure(person);
            Queue<Call> calls = new ConcurrentLinkedQueue<>();
            Times before = measureDuringCalls(clients, calls, person);
            Thread.sleep((keysAreKnown ? KEYS_ARE_FRESH : FAILURE_IS_REMEMBERED).toMillis());

            host.behave(JwksServer.silence());
            calls.clear();
            Times then = measureDuringCalls(clients, calls, person);

            Duration slowest =
                    calls.stream().map(Call::took).max(Duration::compareTo).orElseThrow();
            System.out.printf(
                    "%d hanging hosts, keys known: %s. Logins p99 %d ms before, %d ms then; another data provider p99 %d"
                            + " ms before, %d ms then; %d calls of their own, the slowest %d ms%n",
                    hosts,
                    keysAreKnown,
                    before.login().toMillis(),
                    then.login().toMillis(),
                    before.check().toMillis(),
                    then.check().toMillis(),
                    calls.size(),
                    slowest.toMillis());
            int expected = keysAreKnown ? 200 : 503;
            assertEquals(
                    0, calls.stream().filter(call -> call.status() != expected).count());
            assertTrue(slowest.compareTo(Duration.ofSeconds(4)) < 0, slowest.toString());
            assertNotSlower(before.login(), then.login());
            assertNotSlower(before.check(), then.check());
            clients.forEach(
                    client -> federation.admin().delete(federation.admin().client(client.clientId())));
        }
    }

    /** Calls the service as each of the data providers, again and again, and measures at the same time. */
    private Times measureDuringCalls(List<DataProviderClient> clients, Queue<Call> calls, DemoPerson person)
            throws InterruptedException {
        int hosts = clients.size();
        ScheduledExecutorService callers = Executors.newScheduledThreadPool(hosts);
        for (int i = 0; i < hosts; i++) {
            DataProviderClient client = clients.get(i);
            long delay = PERIOD.toMillis() * i / hosts;
            callers.scheduleAtFixedRate(
                    () -> calls.add(Call.of(client)), delay, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
        Times times = measure(person);
        callers.shutdown();
        callers.awaitTermination(1, TimeUnit.MINUTES);
        return times;
    }

    private record Call(int status, Duration took) {

        static Call of(DataProviderClient client) {
            long start = System.nanoTime();
            HttpResponse<String> response = client.post(ANY_TOKEN);
            return new Call(response.statusCode(), Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** The 99th percentiles. */
    private record Times(Duration login, Duration check) {}

    private Times measure(DemoPerson person) {
        long[] logins = new long[MEASURED];
        long[] checks = new long[MEASURED];
        for (int i = 0; i < MEASURED; i++) {
            long start = System.nanoTime();
            federation.town().signIn(person.name(), "openid");
            long signedIn = System.nanoTime();
            federation.tax().check(ANY_TOKEN);
            logins[i] = signedIn - start;
            checks[i] = System.nanoTime() - signedIn;
        }
        return new Times(p99(logins), p99(checks));
    }

    private static Duration p99(long[] nanos) {
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[nanos.length * 99 / 100]);
    }

    private static void assertNotSlower(Duration before, Duration then) {
        long limit = (long) (before.toMillis() * FACTOR) + NOISE.toMillis();
        assertTrue(then.toMillis() <= limit, before.toMillis() + " ms before, then " + then.toMillis() + " ms");
    }
}
