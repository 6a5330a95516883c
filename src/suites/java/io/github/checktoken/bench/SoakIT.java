package io.github.checktoken.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.checktoken.bench.load.IntrospectionCases;
import io.github.checktoken.bench.load.KeyRotation;
import io.github.checktoken.bench.load.LoadFiles;
import io.github.checktoken.bench.load.SessionLoad;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchRealm;
import io.github.checktoken.bench.server.BenchServer;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.bench.server.Processors;
import io.github.checktoken.bench.server.SetUp;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Keeps one server at 80 % of its capacity for a long time, with calls, logins, refreshes and key rotations. It fails if a
 * call fails, or if the server's heap, threads, open files or session notes grow. See CONTRIBUTING.md.
 */
@Tag("soak")
class SoakIT {

    /** How many key rotations a run has; if it is shorter, one in each minute. */
    private static final int ROTATIONS = 10;

    private final BenchSettings settings = BenchSettings.read();
    private final int minutes = Integer.getInteger("soak.minutes", 30);
    private final List<SoakSample> samples = new ArrayList<>();

    @Test
    void nothingGrowsAndNoCallFails() throws Exception {
        assertTrue(minutes >= 3, "soak.minutes must be at least 3, because thirds of the run are compared");
        Wrk.mustBeInstalled();
        PostgresServer.mustBeInstalled();
        Processors.keepThisProcessOn(settings.loadCpus());
        Path folder = Files.createDirectories(Path.of("target", "soak"));
        try (PostgresServer postgres = new PostgresServer();
                LoadFiles files = new LoadFiles();
                BenchServer server =
                        BenchServer.start(settings, folder, "soak", List.of(BenchServer.jar()), postgres.arguments())) {
            BenchRealm realm = new BenchRealm(server.keycloak(), true);
            DataProviderClient dataProvider = realm.dataProvider("dp-es256");
            IntrospectionCases cases = new IntrospectionCases(server, "", realm, settings, files);
            try (KeyRotation keys = new KeyRotation(server.keycloak(), realm, dataProvider)) {
                SessionLoad sessions = new SessionLoad(server.keycloak(), realm, dataProvider);
                soak(new Soak(server, postgres, cases, dataProvider, sessions, keys), folder);
            }
        }
    }

    private void soak(Soak soak, Path folder) throws Exception {
        soak.warmUp(settings.warmUpAnswers());
        Soak.Rate rate = soak.calibrate();
        SoakReport report = new SoakReport(folder, setUp(rate));
        int interval = Math.max(1, minutes / ROTATIONS);
        for (int minute = 0; minute < minutes; minute++) {
            samples.add(soak.sample(rate, minute % interval == 0));
            report.write(samples, List.of(), soak.sessions().failures());
        }
        List<SoakLimit> limits = SoakLimit.of(samples, rate.callsPerSecond());
        report.write(samples, limits, soak.sessions().failures());
        System.out.println(Files.readString(folder.resolve("report.md")));
        assertEquals(List.of(), limits.stream().filter(limit -> !limit.isMet()).toList());
    }

    private Map<String, String> setUp(Soak.Rate rate) throws IOException {
        Map<String, String> setUp = SetUp.of(settings);
        setUp.put(
                "Capacity",
                Report.number(
                                "%.0f answers of checktoken a second",
                                rate.capacity().perSecond())
                        + Report.number(", %.2f ms CPU each", rate.capacity().cpu()));
        setUp.put("Load", Report.number("%.0f answers of checktoken a second", rate.callsPerSecond()));
        return setUp;
    }
}
