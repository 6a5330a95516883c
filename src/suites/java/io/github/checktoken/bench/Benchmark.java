package io.github.checktoken.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.bench.load.Scenario;
import io.github.checktoken.bench.load.Step;
import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.BenchSettings;
import io.github.checktoken.bench.server.CryptoAlone;
import io.github.checktoken.bench.server.ServerMeter;

/** Measures scenarios in turns, so that whatever changes during the run affects all of them. */
final class Benchmark {

    /** A server has settled if the first scenario costs as much as before, within this share. */
    private static final double SETTLED = 0.03;

    /** If it has not settled by then, the measurements begin nevertheless, and the report says so. */
    private static final int MOST_WARM_UP = 3;

    static final Duration WARM_UP_PHASE = Duration.ofSeconds(4);

    private Benchmark() {}

    /**
     * Runs the scenarios of one server in turns until it has given enough answers and has settled.
     *
     * @param answers the least number
     */
    static WarmUp warmUp(List<Scenario> scenarios, long answers) throws IOException, InterruptedException {
        long given = 0;
        double before = 0;
        double now = Double.MAX_VALUE;
        while (given < answers || Math.abs(now / before - 1) > SETTLED && given < answers * MOST_WARM_UP) {
            before = now;
            for (Scenario scenario : scenarios) {
                Measured measured = measure(scenario, WARM_UP_PHASE);
                given += measured.answers();
                if (scenario == scenarios.get(0)) {
                    now = measured.measurement().cpu();
                }
            }
            System.out.printf(
                    "warm-up, %d answers so far, %s: %.3f ms CPU%n",
                    given, scenarios.get(0).name(), now);
        }
        return new WarmUp(given, Math.abs(now / before - 1) <= SETTLED);
    }

    /**
     * Measures each scenario in each round; every second round runs backwards.
     *
     * @param alone is measured at the end of each round
     */
    static List<Row> measure(Step step, List<Scenario> scenarios, List<CryptoAlone> alone, BenchSettings settings)
            throws IOException, InterruptedException {
        Map<String, List<Measurement>> measured = new LinkedHashMap<>();
        scenarios.forEach(scenario -> measured.put(scenario.name(), new ArrayList<>()));
        alone.forEach(crypto -> measured.put(crypto.name(), new ArrayList<>()));
        for (int round = 0; round < settings.rounds(); round++) {
            List<Scenario> order = new ArrayList<>(scenarios);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (Scenario scenario : order) {
                Measurement measurement = measure(scenario, settings.phase()).measurement();
                System.out.printf(
                        "%s, round %d, %s: %.3f ms CPU, %.0f answers/s%n",
                        step.title(), round + 1, scenario.name(), measurement.cpu(), measurement.perSecond());
                measured.get(scenario.name()).add(measurement);
            }
            for (CryptoAlone crypto : alone) {
                measured.get(crypto.name()).add(Measurement.ofProcessor(crypto.millis()));
            }
        }
        Map<String, String> baselines = new HashMap<>();
        scenarios.forEach(scenario -> baselines.put(scenario.name(), scenario.baseline()));
        List<Row> rows = new ArrayList<>();
        measured.forEach((name, each) -> {
            List<Measurement> baseline = measured.get(baselines.get(name));
            Figure ratio = baseline == null
                    ? null
                    : Figure.of(each, Measurement::cpu).times(List.of(Figure.of(baseline, Measurement::cpu)));
            rows.add(new Row(step.group(), step.size(), name, each, ratio));
        });
        return rows;
    }

    static Measured measure(Scenario scenario, Duration phase) throws IOException, InterruptedException {
        Wrk.Load load = scenario.checked();
        ServerMeter meter = scenario.meter();
        ServerMeter.Reading before = meter.read();
        Wrk.Result result = Wrk.run(load, phase);
        ServerMeter.Usage usage = meter.between(before, meter.read());
        return new Measured(result.answers(), Measurement.of(result, usage));
    }

    /** @param settled whether the last two measurements of the first scenario differed little */
    record WarmUp(long answers, boolean settled) {}

    record Measured(long answers, Measurement measurement) {}
}
