package io.github.checktoken.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.nimbusds.jose.JOSEException;
import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.KeyRotation;
import io.github.checktoken.bench.load.LoadFiles;
import io.github.checktoken.bench.load.Scenario;
import io.github.checktoken.bench.load.SessionLoad;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.bench.server.Footprint;
import io.github.checktoken.bench.server.Processors;
import io.github.checktoken.bench.server.ServerMeter;
import io.github.checktoken.bench.server.SetUp;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Keeps one server at 80 % of its capacity for a long time, with calls, logins, refreshes and key rotations. It fails if a
 * call fails, or if the server's memory, threads, open files or session notes grow. See CONTRIBUTING.md.
 */
@Tag("soak")
class SoakIT {

    private static final double SHARE = 0.8;
    private static final Duration CALIBRATION = Duration.ofSeconds(20);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** How many key rotations a run has; if it is shorter, one in each minute. */
    private static final int ROTATIONS = 10;

    /** In the middle of the load of a minute. All lasting sessions get tokens from the new keys before the minute ends. */
    private static final Duration ROTATION = Duration.ofSeconds(20);

    private final BenchSettings settings = BenchSettings.read();
    private final int minutes = Integer.getInteger("soak.minutes");
    private final List<SoakSample> samples = new ArrayList<>();
    private PostgresServer postgres;
    private BenchServer server;
    private IntrospectionCases cases;
    private DataProviderClient dataProvider;
    private SessionLoad sessions;

    @Test
    void nothingGrowsAndNoCallFails() throws Exception {
        assertTrue(minutes >= 3, "soak.minutes must be at least 3, because thirds of the run are compared");
        Wrk.mustBeInstalled();
        PostgresServer.mustBeInstalled();
        Processors.keepThisProcessOn(settings.loadCpus());
        Path folder = Files.createDirectories(Path.of(System.getProperty("soak.report")));
        try (PostgresServer database = new PostgresServer();
                LoadFiles files = new LoadFiles();
                BenchServer keycloak = BenchServer.start(settings, folder, "soak", true, database.arguments())) {
            postgres = database;
            server = keycloak;
            BenchRealm realm = new BenchRealm(server.keycloak(), true);
            dataProvider = realm.dataProvider("dp-es256");
            cases = new IntrospectionCases(server, realm, settings, files);
            try (KeyRotation keys = new KeyRotation(server.keycloak(), realm, dataProvider)) {
                sessions = new SessionLoad(server.keycloak(), realm, dataProvider);
                soak(keys, SetUp.of(settings), folder);
            }
        }
    }

    private void soak(KeyRotation keys, Map<String, String> setUp, Path folder) throws Exception {
        sessions.during(() -> Benchmark.warmUp(List.of(checks()), settings.warmUpAnswers(), settings.growthPhase()));
        Measurement capacity = Benchmark.measure(checks(), CALIBRATION).measurement();
        double fullMillis = capacity.perSecond() * capacity.cpu();
        double sessionMillis = sessionMillisPerSecond();
        double rate = (SHARE * fullMillis - sessionMillis) / capacity.cpu();
        setUp.put(
                "Capacity",
                Report.number("%.0f answers of checktoken a second", capacity.perSecond())
                        + Report.number(", %.2f ms CPU each", capacity.cpu()));
        setUp.put(
                "Load",
                Report.number("%.0f answers of checktoken a second; logins and renewals took ", rate)
                        + Report.number("%.0f %% of the capacity", 100 * sessionMillis / fullMillis));
        SoakReport report = new SoakReport(folder, setUp);
        int interval = Math.max(1, minutes / ROTATIONS);
        for (int minute = 0; minute < minutes; minute++) {
            samples.add(sample(rate, fullMillis, keys, minute % interval == 0));
            report.write(samples, List.of(), sessions.failures());
        }
        List<SoakLimit> limits = SoakLimit.of(samples, rate);
        report.write(samples, limits, sessions.failures());
        System.out.println(Files.readString(folder.resolve("report.md")));
        assertEquals(List.of(), limits.stream().filter(limit -> !limit.isMet()).toList());
    }

    /** Calls about the newest tokens of all lasting sessions. */
    private Scenario checks() {
        return cases.about(dataProvider, sessions.accessTokens());
    }

    /** @return the server's processor milliseconds in each second that logins and renewals take */
    private double sessionMillisPerSecond() throws Exception {
        ServerMeter.Reading before = server.meter().read();
        sessions.during(() -> {
            TimeUnit.NANOSECONDS.sleep(CALIBRATION.toNanos());
            return null;
        });
        ServerMeter.Usage usage = server.meter().between(before, server.meter().read());
        return usage.cpuMillis() / usage.seconds();
    }

    private SoakSample sample(double rate, double fullMillis, KeyRotation keys, boolean rotates) throws Exception {
        int logins = sessions.logins();
        int renewals = sessions.renewals();
        int failures = sessions.failures().size();
        CompletableFuture<Void> rotation = rotates ? rotateLater(keys) : CompletableFuture.completedFuture(null);
        Wrk.Load load = checks().checked().at(rate);
        ServerMeter.Reading before = server.meter().read();
        Wrk.Result calls = sessions.during(() -> Wrk.count(load, MINUTE));
        ServerMeter.Usage usage = server.meter().between(before, server.meter().read());
        rotation.get();
        if (calls.wrong() > 0) {
            System.out.println(calls.output());
        }
        return new SoakSample(
                calls.answers() / calls.seconds(),
                calls.p99(),
                usage.cpuMillis() / usage.seconds() / fullMillis,
                sessions.logins() - logins,
                sessions.renewals() - renewals,
                keys.rotations(),
                calls.wrong() + sessions.failures().size() - failures,
                Footprint.of(server, postgres));
    }

    private CompletableFuture<Void> rotateLater(KeyRotation keys) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        keys.rotate(sessions.accessTokens().get(0));
                    } catch (JOSEException e) {
                        throw new IllegalStateException(e);
                    }
                },
                CompletableFuture.delayedExecutor(ROTATION.toSeconds(), TimeUnit.SECONDS));
    }
}
