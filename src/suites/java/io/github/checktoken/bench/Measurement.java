package io.github.checktoken.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.ServerMeter;

/**
 * What one scenario did in one round, or the medians over its rounds.
 *
 * @param perSecond answers per second; for logins, whole logins
 * @param p50 milliseconds for one request; for logins at a constant rate, for a whole login
 * @param p99 milliseconds, as p50
 * @param cpu the server's processor time for each answer, in milliseconds
 * @param allocated bytes that the server allocated for each answer
 */
record Measurement(double perSecond, double p50, double p99, double cpu, double allocated) {

    static Measurement of(Wrk.Result result, ServerMeter.Usage usage) {
        return new Measurement(
                result.answers() / result.seconds(),
                result.p50(),
                result.p99(),
                usage.cpuMillis() / result.answers(),
                (double) usage.allocatedBytes() / result.answers());
    }

    /** Something that is not called: only its processor time is known, the rest is NaN. */
    static Measurement ofProcessor(double cpu) {
        return new Measurement(1000 / cpu, Double.NaN, Double.NaN, cpu, Double.NaN);
    }

    static Measurement median(List<Measurement> rounds) {
        return new Measurement(
                median(rounds, Measurement::perSecond),
                median(rounds, Measurement::p50),
                median(rounds, Measurement::p99),
                median(rounds, Measurement::cpu),
                median(rounds, Measurement::allocated));
    }

    /**
     * Compares processor times within each round, because the machine can become faster or slower from one round to the
     * next.
     *
     * @param others their times are added
     * @return the median over the rounds of how often the others' time fits into this one
     */
    static double times(List<Measurement> rounds, List<List<Measurement>> others) {
        List<Double> ratios = IntStream.range(0, rounds.size())
                .mapToObj(round -> rounds.get(round).cpu()
                        / others.stream()
                                .mapToDouble(other -> other.get(round).cpu())
                                .sum())
                .toList();
        return median(ratios, Double::doubleValue);
    }

    static <T> double median(List<T> rounds, ToDoubleFunction<T> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
