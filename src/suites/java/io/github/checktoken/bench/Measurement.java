package io.github.checktoken.bench;

import io.github.checktoken.bench.load.Wrk;
import io.github.checktoken.bench.server.ServerMeter;

/**
 * What one scenario did in one round.
 *
 * @param perSecond answers per second; for logins, whole logins
 * @param p50 milliseconds for one request; for logins, for a whole login
 * @param p99 milliseconds, as p50
 * @param cpu the server's processor time for each answer, in milliseconds
 * @param allocated bytes that the server allocated for each answer; NaN if it is not a JVM
 */
record Measurement(double perSecond, double p50, double p99, double cpu, double allocated) {

    static Measurement of(Wrk.Result result, ServerMeter.Usage usage) {
        return new Measurement(
                result.answers() / result.seconds(),
                result.p50(),
                result.p99(),
                usage.cpuMillis() / result.answers(),
                usage.allocatedBytes() / result.answers());
    }

    /** Something that is not called: only its processor time is known, the rest is NaN. */
    static Measurement ofProcessor(double cpu) {
        return new Measurement(1000 / cpu, Double.NaN, Double.NaN, cpu, Double.NaN);
    }
}
