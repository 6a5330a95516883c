package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.LoadFiles;
import io.github.checktoken.bench.load.LoginCases;
import io.github.checktoken.bench.load.Scenario;
import io.github.checktoken.bench.load.Step;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.bench.server.CryptoAlone;
import io.github.checktoken.bench.server.Processors;
import io.github.checktoken.bench.server.SetUp;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures what a call costs the server, beside Keycloak's own introspection, and what a login costs with and without
 * this project's JAR. It fails if an answer is wrong. A limit that is not met is only reported. See CONTRIBUTING.md.
 */
@Tag("bench")
class BenchmarkIT {

    private final BenchSettings settings = BenchSettings.read();
    private final List<Row> rows = new ArrayList<>();
    private Path folder;
    private Map<String, String> setUp;

    @Test
    void reportSaysWhatACallAndALoginCost() throws Exception {
        Wrk.mustBeInstalled();
        PostgresServer.mustBeInstalled();
        Processors.keepThisProcessOn(settings.loadCpus());
        folder = Files.createDirectories(Path.of(System.getProperty("bench.report")));
        setUp = SetUp.of(settings);
        setUp.put("Rounds", settings.allRounds());
        try (PostgresServer postgres = new PostgresServer();
                LoadFiles files = new LoadFiles();
                BenchServer with = BenchServer.start(settings, folder, "with-jar", true, postgres.arguments())) {
            BenchRealm realm = new BenchRealm(with.keycloak(), true);
            introspections(with, realm, files);
            if (settings.groups().contains("login")) {
                postgres.createDatabase("without");
                try (BenchServer without =
                        BenchServer.start(settings, folder, "without-jar", false, postgres.arguments("without"))) {
                    logins(new LoginCases(
                            without, new BenchRealm(without.keycloak(), false), with, realm, files, settings));
                }
            }
        }
        System.out.println(Report.table(rows));
    }

    private void introspections(BenchServer server, BenchRealm realm, LoadFiles files)
            throws IOException, InterruptedException {
        IntrospectionCases cases = new IntrospectionCases(server, realm, settings, files);
        List<Step> steps = cases.steps().stream()
                .filter(step -> settings.groups().contains(step.group()))
                .toList();
        if (steps.isEmpty()) {
            return;
        }
        warmUp("Warm-up of introspection", server, cases.main(), settings.warmUpAnswers());
        server.meter().measureIdle(settings.growthPhase());
        setUp.put(
                "Idle",
                "%.1f ms of CPU in a second, subtracted"
                        .formatted(server.meter().idleMillisPerSecond()));
        for (Step step : steps) {
            List<Scenario> scenarios = step.scenarios().get();
            if (step.size() > 0) {
                Benchmark.warmUp(scenarios, 1, settings.growthPhase());
                measure(step, scenarios, null, settings.growthRounds(), settings.growthPhase());
            } else {
                try (CryptoAlone crypto = CryptoAlone.start(settings)) {
                    measure(step, scenarios, crypto, settings.rounds(), settings.phase());
                }
            }
        }
    }

    private void logins(LoginCases cases) throws IOException, InterruptedException {
        long logins = settings.warmUpAnswers() / LoginCases.CALLS_IN_A_LOGIN;
        for (Scenario scenario : cases.scenarios()) {
            warmUp("Warm-up of " + scenario.name(), scenario.server(), List.of(scenario), logins);
            scenario.server().meter().measureIdle(settings.growthPhase());
        }
        Step step = new Step("login", 0, cases::scenarios);
        measure(step, cases.scenarios(), null, settings.rounds(), settings.growthPhase());
    }

    private void warmUp(String what, BenchServer server, List<Scenario> scenarios, long answers)
            throws IOException, InterruptedException {
        Benchmark.WarmUp warmUp = Benchmark.warmUp(scenarios, answers, settings.growthPhase());
        setUp.put(
                what, "%,d answers, %s".formatted(warmUp.answers(), warmUp.settled() ? "settled" : "**not settled**"));
        server.keepOnItsProcessors();
    }

    private void measure(Step step, List<Scenario> scenarios, CryptoAlone crypto, int rounds, Duration phase)
            throws IOException, InterruptedException {
        rows.addAll(Benchmark.measure(step, scenarios, crypto, rounds, phase));
        new Report(folder, setUp, settings.limits()).write(rows);
    }
}
