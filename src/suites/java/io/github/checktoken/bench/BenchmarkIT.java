package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

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

    private static final String LOGIN_RATE = "login-rate";

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
                LoadFiles files = new LoadFiles();
                BenchServer with =
                        BenchServer.start(settings, folder, "with-jar", BenchServer.jar(), postgres.arguments())) {
            BenchRealm realm = new BenchRealm(with.keycloak(), true);
            introspections(with, realm, files);
            if (settings.groups().contains("login") || settings.groups().contains(LOGIN_RATE)) {
                postgres.createDatabase("without");
                try (BenchServer without =
                        BenchServer.start(settings, folder, "without-jar", null, postgres.arguments("without"))) {
                    BenchRealm realmWithout = new BenchRealm(without.keycloak(), false);
                    logins(
                            postgres,
                            perSecond -> new LoginCases(files, settings, perSecond)
                                    .add(LoginCases.WITHOUT_JAR, without, realmWithout)
                                    .add(LoginCases.WITH_JAR, with, realm)
                                    .addAskingForAmr(with, realm));
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

    /** With {@code previous.jar}, a server with an earlier JAR is measured beside the others. */
    private void logins(PostgresServer postgres, IntFunction<LoginCases> cases) throws Exception {
        String previousJar = System.getProperty("previous.jar", "");
        if (previousJar.isEmpty()) {
            measureLogins(cases);
            return;
        }
        postgres.createDatabase("previous");
        try (BenchServer previous = BenchServer.start(
                settings, folder, "previous-jar", Path.of(previousJar), postgres.arguments("previous"))) {
            BenchRealm realm = new BenchRealm(previous.keycloak(), true);
            measureLogins(perSecond -> cases.apply(perSecond).add(LoginCases.WITH_PREVIOUS_JAR, previous, realm));
        }
    }

    private void measureLogins(IntFunction<LoginCases> cases) throws IOException, InterruptedException {
        LoginCases asFastAsPossible = cases.apply(0);
        long logins = settings.warmUpAnswers() / LoginCases.CALLS_IN_A_LOGIN;
        for (Scenario scenario : asFastAsPossible.scenarios()) {
            warmUp("Warm-up of " + scenario.name(), scenario.server(), List.of(scenario), logins);
            scenario.server().meter().measureIdle(settings.growthPhase());
        }
        if (settings.groups().contains("login")) {
            Step step = new Step("login", 0, asFastAsPossible::scenarios);
            measure(step, asFastAsPossible.scenarios(), null, settings.rounds(), settings.growthPhase());
        }
        if (settings.groups().contains(LOGIN_RATE)) {
            setUp.put("Logins in the group *" + LOGIN_RATE + "*", settings.loginRate() + " a second");
            LoginCases paced = cases.apply(settings.loginRate());
            Step step = new Step(LOGIN_RATE, 0, paced::scenarios);
            measure(step, paced.scenarios(), null, settings.rounds(), settings.growthPhase());
        }
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
