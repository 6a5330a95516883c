package io.github.checktoken.telemetry;

import java.time.Duration;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;

/**
 * Timers in Keycloak's own registry: they stand at its metrics endpoint where that is on, and cost next to nothing where
 * it is off. No label names a client or a person.
 */
public final class CheckTokenMetrics {

    private CheckTokenMetrics() {}

    /**
     * One call of the introspection endpoint.
     *
     * @param realm its name
     * @param outcome {@code active}, {@code inactive}, or the {@code error} that the caller got
     */
    public static void answered(String realm, String outcome, Duration time) {
        record("checktoken.answers", "Answers of the introspection endpoint", realm, outcome, time);
    }

    /**
     * One request for a data provider's JWK Set.
     *
     * @param realm its name
     * @param outcome {@code success} or {@code failure}
     */
    public static void fetched(String realm, String outcome, Duration time) {
        record("checktoken.key.fetches", "Requests for JWK Sets of data providers", realm, outcome, time);
    }

    private static void record(String name, String description, String realm, String outcome, Duration time) {
        Timer.builder(name)
                .description(description)
                .tag("realm", realm)
                .tag("outcome", outcome)
                .register(Metrics.globalRegistry)
                .record(time);
    }
}
