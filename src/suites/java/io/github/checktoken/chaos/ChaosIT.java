package io.github.checktoken.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.FakeClock;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Calls and logins while directory, database, hosts of keys, mail server and clock fail at random and come back: every
 * answer is right or a documented error, nothing stays broken, the heap is flat, and the log is short. The same
 * {@code -Dchaos.seed=} breaks the same in the same order, at slightly other times.
 */
@Tag("chaos")
class ChaosIT {

    private static final int CHECK_CALLERS = 6;
    private static final int LOGIN_CALLERS = 2;
    private static final int CALL_MILLIS = 150;
    private static final int LOGIN_MILLIS = 600;
    private static final int GUESS_MILLIS = 250;
    private static final int HEAP_SECONDS = 20;
    private static final int CALM_SECONDS = 60;
    private static final int DATA_PROVIDERS_OF_A_HOST = 60;

    private final int minutes = Integer.getInteger("chaos.minutes", 30);
    private final long seed = Long.getLong("chaos.seed", new Random().nextInt(1_000_000));
    private final Outages outages = new Outages();
    private final Report report = new Report();
    private final LogJudge log = new LogJudge(report);

    @Test
    void everyAnswerIsRightOrADocumentedError() throws Exception {
        PostgresServer.mustBeInstalled();
        System.out.printf("-Dchaos.minutes=%d -Dchaos.seed=%d%n", minutes, seed);
        FakeClock clock = new FakeClock();
        try (PostgresServer postgres = new PostgresServer();
                DirectoryServer directory = new DirectoryServer(ChaosRealm.OF_THE_DIRECTORY);
                DistributionServer server =
                        DistributionServer.node("keycloak-chaos", arguments(postgres), clock.environment(), log);
                MailServer mail = new MailServer(server)) {
            ChaosRealm realm = new ChaosRealm(server, directory, mail);
            try (KeyHost keys = new KeyHost(realm.federation(), Neighbour.KEYS, DATA_PROVIDERS_OF_A_HOST, log);
                    KeyHost otherKeys =
                            new KeyHost(realm.federation(), Neighbour.OTHER_KEYS, DATA_PROVIDERS_OF_A_HOST, log)) {
                ServerClock serverClock = new ServerClock(clock);
                Monkey monkey = new Monkey(
                        seed, new Neighbours(directory, postgres, mail, serverClock, keys, otherKeys), outages);
                run(realm, mail, serverClock, List.of(keys, otherKeys), monkey, new HeapWatch(server.pid()));
            }
            assertEquals(List.of(), LogSearch.search(server.log()));
        }
    }

    private void run(
            ChaosRealm realm, MailServer mail, ServerClock clock, List<KeyHost> hosts, Monkey monkey, HeapWatch heap)
            throws Exception {
        Judge judge = new Judge(clock, outages, report, realm.keys());
        Sessions sessions = new Sessions();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(CHECK_CALLERS + LOGIN_CALLERS + 2);
        List<Person> people = realm.people();
        List<LoginCaller> logins = new ArrayList<>();
        for (int caller = 0; caller < LOGIN_CALLERS; caller++) {
            LoginCaller login = new LoginCaller(
                    new Random(seed + caller), realm.federation(), mail, people, sessions, outages, report);
            login.run();
            logins.add(login);
            repeat(threads, login, LOGIN_MILLIS);
        }
        for (int caller = 0; caller < CHECK_CALLERS; caller++) {
            KeyHost host = hosts.get(caller % hosts.size());
            Supplier<List<Provider>> providers =
                    () -> Stream.concat(realm.dataProviders().stream(), host.calling().stream())
                            .toList();
            repeat(threads, new CheckCaller(new Random(seed - caller), providers, sessions, judge), CALL_MILLIS);
        }
        repeat(threads, new GuessCaller(realm.guessed(), judge, outages, report), GUESS_MILLIS);
        threads.scheduleWithFixedDelay(heap, HEAP_SECONDS, HEAP_SECONDS, TimeUnit.SECONDS);
        long begin = System.nanoTime();
        monkey.breakUntil(begin + TimeUnit.MINUTES.toNanos(minutes) - TimeUnit.SECONDS.toNanos(CALM_SECONDS));
        System.out.println("Everything is mended");
        TimeUnit.SECONDS.sleep(CALM_SECONDS);
        threads.shutdown();
        assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
        logins.get(0).requireNoLocks();
        System.out.printf("-Dchaos.minutes=%d -Dchaos.seed=%d%n", minutes, seed);
        System.out.println(report.text(outages) + log.text() + "\n" + heap.text());
        assertEquals(Map.of(), report.violations());
        assertTrue(minutes < 5 || heap.isFlat(), heap.text());
    }

    private void repeat(ScheduledExecutorService threads, Runnable caller, int pauseMillis) {
        Runnable guarded = () -> {
            try {
                caller.run();
            } catch (RuntimeException | AssertionError e) {
                report.violation("no answer", e + ", broken: " + outages.recent());
            }
        };
        threads.scheduleWithFixedDelay(guarded, 0, pauseMillis, TimeUnit.MILLISECONDS);
    }

    /** The limits of the wait for the database are those that docs/production.md suggests. */
    private static List<String> arguments(PostgresServer postgres) {
        List<String> arguments = new ArrayList<>(postgres.arguments());
        arguments.addAll(List.of(
                "--db-connect-timeout=3",
                "--db-pool-acquisition-timeout=4",
                "--spi-password-hashing--argon2--iterations=1",
                "--spi-password-hashing--argon2--memory=64",
                "--spi-realm-restapi-extension--checktoken--wrong-secrets-seconds=" + GuessCaller.LOCK_SECONDS));
        return arguments;
    }
}
