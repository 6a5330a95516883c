package io.github.checktoken.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

import io.github.checktoken.bench.server.Footprint;

/**
 * What may not be exceeded in the soak. The first third of the samples is not compared, because caches still fill up then.
 *
 * @param value what was measured
 */
record SoakLimit(String name, double value, double most) {

    private static final double HEAP = 1.1;
    private static final int THREADS = 5;
    private static final double FILES = 1.1;
    private static final double RATE = 0.95;

    /**
     * @param rate the calls per second that the load had to make
     * @param samples at least three
     */
    static List<SoakLimit> of(List<SoakSample> samples, double rate) {
        long failures = samples.stream().mapToLong(SoakSample::failures).sum();
        double answers = Figure.of(samples, SoakSample::answersPerSecond).median();
        return List.of(
                new SoakLimit("failed calls, logins and renewals; none is expected", failures, 0),
                new SoakLimit("answers a second fewer than the load's rate", rate - answers, rate * (1 - RATE)),
                grown("heap after garbage collection, bytes", samples, Footprint::heapBytes, HEAP, 0),
                grown("threads", samples, Footprint::threads, 1, THREADS),
                grown("open files", samples, Footprint::files, FILES, 0),
                neverGrown("largest user session, bytes", samples, Footprint::userSessionBytes),
                neverGrown("largest client session, bytes", samples, Footprint::clientSessionBytes));
    }

    boolean isMet() {
        return value <= most;
    }

    /** Compares the median of the last third with that of the second third. */
    private static SoakLimit grown(
            String name, List<SoakSample> samples, ToDoubleFunction<Footprint> value, double factor, double more) {
        int third = samples.size() / 3;
        int last = samples.size() - third;
        double before = median(samples.subList(last - third, last), value);
        return new SoakLimit(
                name + ", median of the last third",
                median(samples.subList(last, samples.size()), value),
                before * factor + more);
    }

    /** Compares the greatest value after the second sample with the second sample. */
    private static SoakLimit neverGrown(String name, List<SoakSample> samples, ToDoubleFunction<Footprint> value) {
        double greatest = samples.stream()
                .skip(2)
                .map(SoakSample::after)
                .mapToDouble(value)
                .max()
                .orElseThrow();
        return new SoakLimit(
                name + ", after the second minute",
                greatest,
                value.applyAsDouble(samples.get(1).after()));
    }

    private static double median(List<SoakSample> samples, ToDoubleFunction<Footprint> value) {
        return Figure.of(samples, sample -> value.applyAsDouble(sample.after())).median();
    }
}
