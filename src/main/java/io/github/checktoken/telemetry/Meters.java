package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Records meters in Keycloak's own registry. They appear at its metrics endpoint if that is enabled; if it is disabled,
 * they cost next to nothing.
 */
final class Meters {

    /** The outcomes of an attempt. */
    static final List<String> RESULTS = List.of("success", "failure");

    private Meters() {}

    /** @param furtherTags names and values in turn */
    static void count(String name, String description, String realm, String... furtherTags) {
        Counter.builder(name)
                .description(description)
                .tag("realm", realm)
                .tags(furtherTags)
                .register(Metrics.globalRegistry)
                .increment();
    }

    /**
     * With the first record of a realm, or of a client, all outcomes appear, most of them with 0: without a value
     * before, Prometheus sees no increase.
     */
    static void record(
            String name, String description, Tags tags, String outcome, List<String> outcomes, Duration time) {
        Timer timer = timer(name, description, tags, outcome);
        if (timer.count() == 0 && !Metrics.globalRegistry.getRegistries().isEmpty()) {
            outcomes.forEach(other -> timer(name, description, tags, other));
        }
        timer.record(time);
    }

    private static Timer timer(String name, String description, Tags tags, String outcome) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .tag("outcome", outcome)
                .register(Metrics.globalRegistry);
    }
}
