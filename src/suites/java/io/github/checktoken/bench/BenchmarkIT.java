package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.LoadFiles;
import io.github.checktoken.bench.load.LoginCases;
import io.github.checktoken.bench.load.PeerIntrospection;
import io.github.checktoken.bench.load.Scenario;
import io.github.checktoken.bench.load.Step;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.bench.server.CryptoAlone;
import io.github.checktoken.bench.server.PeerServer;
import io.github.checktoken.bench.server.Processors;
import io.github.checktoken.bench.server.SetUp;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures what a call costs the server, with and without Conscrypt, beside Keycloak's own introspection and another
 * server, and what a login costs with and without this project's JAR. It fails if an answer is wrong. A limit that is not
 * met is only reported. See CONTRIBUTING.md.
 */
@Tag("bench")
class BenchmarkIT {

    private static final List<Integer> CONNECTIONS = List.of(1, 8, 64);
    private static final int PEER_WARMS_UP_FASTER = 10;

    private final BenchSettings settings = BenchSettings.read();
    private final List<Row> rows = new ArrayList<>();
    private Path folder;
    private Map<String, String> setUp;

    @Test
    void reportSaysWhatACallAndALoginCost() throws Exception {
        Wrk.mustBeInstalled();
        PostgresServer.mustBeInstalled();
        Processors.keepThisProcessOn(settings.loadCpus());
        folder = Files.createDirectories(Path.of("target", "bench"));
        setUp = SetUp.of(settings);
        setUp.put("Rounds", settings.allRounds());
        try (PostgresServer postgres = new PostgresServer();
                LoadFiles files = new LoadFiles()) {
            if (!settings.groups().equals(Set.of("login"))) {
                introspections(postgres, files);
            }
            if (settings.groups().contains("login")) {
                logins(postgres, files);
            }
        }
        System.out.println(Report.table(rows));
    }

    private void introspections(PostgresServer postgres, LoadFiles files) throws Exception {
        try (BenchServer without = start(postgres, "without-conscrypt", BenchServer.jar());
                BenchServer with = start(postgres, "with-conscrypt", BenchServer.jar(), BenchServer.conscrypt());
                PeerServer peer = PeerServer.start(settings)) {
            setUp.put("Peer", peer.version());
            IntrospectionCases plain = cases(without, "", files);
            IntrospectionCases conscrypt = cases(with, BenchServer.WITH_CONSCRYPT, files);
            warmUp("server", without, plain.main(), settings.warmUpAnswers());
            warmUp("server with Conscrypt", with, conscrypt.main(), settings.warmUpAnswers());
            Benchmark.warmUp(
                    List.of(new PeerIntrospection(peer, null, files, settings.connections())),
                    settings.warmUpAnswers() / PEER_WARMS_UP_FASTER);
            peer.meter().measureIdle();
            List<Step> steps = new ArrayList<>();
            steps.add(new Step(
                    "main", 0, () -> inTurns(plain.main(), conscrypt.main(), peer, files, settings.connections())));
            for (int connections : CONNECTIONS) {
                steps.add(new Step(
                        "connections",
                        connections,
                        () -> inTurns(
                                plain.connections(connections),
                                conscrypt.connections(connections),
                                peer,
                                files,
                                connections)));
            }
            steps.addAll(conscrypt.growth());
            steps.removeIf(step -> !settings.groups().contains(step.group()) || step.size() > settings.largest());
            for (Step step : steps) {
                List<Scenario> scenarios = step.scenarios().get();
                if (!step.group().equals("main")) {
                    Benchmark.warmUp(scenarios, 1);
                }
                measure(step, scenarios);
            }
        }
    }

    private IntrospectionCases cases(BenchServer server, String label, LoadFiles files) throws Exception {
        return new IntrospectionCases(server, label, new BenchRealm(server.keycloak(), true), settings, files);
    }

    /** One scenario of each server in turn, and the peer's at the end. */
    private static List<Scenario> inTurns(
            List<Scenario> plain, List<Scenario> conscrypt, PeerServer peer, LoadFiles files, int connections) {
        List<Scenario> scenarios = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            scenarios.add(plain.get(i));
            scenarios.add(conscrypt.get(i));
        }
        scenarios.add(new PeerIntrospection(peer, plain.get(0).name(), files, connections));
        return scenarios;
    }

    /**
     * Two servers that are equal differ by some percent, as their JVMs have compiled them. So both are started again and
     * again.
     */
    private void logins(PostgresServer postgres, LoadFiles files) throws Exception {
        try (BenchServer without = start(postgres, "without-jar");
                BenchServer with = start(postgres, "with-jar", BenchServer.jar(), BenchServer.conscrypt())) {
            LoginCases cases = new LoginCases(
                    without,
                    with,
                    new BenchRealm(without.keycloak(), false),
                    new BenchRealm(with.keycloak(), false),
                    files,
                    settings);
            for (int pair = 1; pair <= settings.pairs(); pair++) {
                if (pair > 1) {
                    without.restart();
                    with.restart();
                }
                List<Scenario> warmUp = cases.warmUp(Benchmark.WARM_UP_PHASE);
                long logins = settings.warmUpAnswers() / LoginCases.CALLS_IN_A_LOGIN;
                warmUp("server without the JAR, start " + pair, without, warmUp.subList(0, 1), logins);
                warmUp("server with the JAR, start " + pair, with, warmUp.subList(1, 2), logins);
                measure(new Step("login", pair, cases::scenarios), cases.scenarios());
            }
        }
    }

    private BenchServer start(PostgresServer postgres, String name, Path... jars)
            throws IOException, InterruptedException {
        String database = name.replace('-', '_');
        postgres.createDatabase(database);
        return BenchServer.start(settings, folder, name, List.of(jars), postgres.arguments(database));
    }

    private void warmUp(String what, BenchServer server, List<Scenario> scenarios, long answers)
            throws IOException, InterruptedException {
        Benchmark.WarmUp warmUp = Benchmark.warmUp(scenarios, answers);
        server.keepOnItsProcessors();
        setUp.put(
                "Warm-up of the " + what,
                "%,d answers, %s; then idle with %.1f ms of CPU in a second, which is subtracted"
                        .formatted(
                                warmUp.answers(),
                                warmUp.settled() ? "settled" : "**not settled**",
                                server.meter().measureIdle()));
    }

    private void measure(Step step, List<Scenario> scenarios) throws IOException, InterruptedException {
        if (step.group().equals("main")) {
            try (CryptoAlone crypto = CryptoAlone.start(settings, false);
                    CryptoAlone withConscrypt = CryptoAlone.start(settings, true)) {
                rows.addAll(Benchmark.measure(step, scenarios, List.of(crypto, withConscrypt), settings));
            }
        } else {
            rows.addAll(Benchmark.measure(step, scenarios, List.of(), settings));
        }
        new Report(folder, setUp, settings.jdk()).write(rows);
    }
}
