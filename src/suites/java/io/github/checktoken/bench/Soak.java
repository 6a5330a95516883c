package io.github.checktoken.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.nimbusds.jose.JOSEException;
import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.KeyRotation;
import io.github.checktoken.bench.load.Scenario;
import io.github.checktoken.bench.load.SessionLoad;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.Footprint;
import io.github.checktoken.bench.server.ServerMeter;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.server.PostgresServer;

/**
 * Calls checktoken beside logins and renewals: first as fast as the server answers, then at a constant rate.
 *
 * @param dataProvider the caller
 */
record Soak(
        BenchServer server,
        PostgresServer postgres,
        IntrospectionCases cases,
        DataProviderClient dataProvider,
        SessionLoad sessions,
        KeyRotation keys) {

    private static final double SHARE = 0.8;
    private static final Duration CALIBRATION = Duration.ofSeconds(20);
    private static final int ATTEMPTS = 5;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** In the middle of the load of a minute. All lasting sessions get tokens from the new keys before the minute ends. */
    private static final Duration ROTATION = Duration.ofSeconds(20);

    /** @param callsPerSecond what, with the logins and renewals, takes the wanted share of the capacity */
    record Rate(Measurement capacity, double callsPerSecond) {

        double fullMillis() {
            return capacity.perSecond() * capacity.cpu();
        }
    }

    void warmUp(long answers) throws Exception {
        sessions.during(() -> Benchmark.warmUp(List.of(checks()), answers));
        server.keepOnItsProcessors();
    }

    /**
     * Measures the capacity, and finds the rate. Each attempt corrects the one before, because what calls and logins cost
     * together is known only when both are made.
     */
    Rate calibrate() throws Exception {
        Measurement capacity = Benchmark.measure(checks(), CALIBRATION).measurement();
        Rate rate = new Rate(capacity, SHARE * capacity.perSecond());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double millis = call(rate, CALIBRATION).millisPerSecond();
            System.out.printf("%s: %.0f ms CPU in a second%n", rate, millis);
            double missing = (SHARE * rate.fullMillis() - millis) / capacity.cpu();
            rate = new Rate(capacity, Math.max(1, rate.callsPerSecond() + missing));
        }
        return rate;
    }

    /** One minute of load. */
    SoakSample sample(Rate rate, boolean rotates) throws Exception {
        int logins = sessions.logins();
        int renewals = sessions.renewals();
        int failures = sessions.failures().size();
        CompletableFuture<Void> rotation = rotates ? rotateLater() : CompletableFuture.completedFuture(null);
        Outcome outcome = call(rate, MINUTE);
        rotation.get();
        Wrk.Result calls = outcome.calls();
        return new SoakSample(
                calls.answers() / calls.seconds(),
                calls.p99(),
                outcome.millisPerSecond() / rate.fullMillis(),
                sessions.logins() - logins,
                sessions.renewals() - renewals,
                keys.rotations(),
                calls.wrong() + sessions.failures().size() - failures,
                Footprint.of(server, postgres));
    }

    /** Calls about the newest tokens of all lasting sessions. */
    private Scenario checks() {
        return cases.about(dataProvider, sessions.accessTokens());
    }

    /** @param millisPerSecond the server's processor time */
    private record Outcome(Wrk.Result calls, double millisPerSecond) {}

    private Outcome call(Rate rate, Duration duration) throws Exception {
        Wrk.Load load = checks().checked().at(rate.callsPerSecond());
        ServerMeter.Reading before = server.meter().read();
        Wrk.Result calls = sessions.during(() -> Wrk.count(load, duration));
        ServerMeter.Usage usage = server.meter().between(before, server.meter().read());
        if (calls.wrong() > 0) {
            System.out.println(calls.output());
        }
        return new Outcome(calls, usage.cpuMillis() / usage.seconds());
    }

    private CompletableFuture<Void> rotateLater() {
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
