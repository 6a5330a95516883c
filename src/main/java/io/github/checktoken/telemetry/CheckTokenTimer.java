package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Timers in Keycloak's own registry, as {@link CheckTokenCounter}. Each has the labels {@code realm}, with the realm's
 * name, and {@code outcome}.
 */
public enum CheckTokenTimer {
    /**
     * The outcome is {@code active}, {@code inactive}, or the {@code error} that the caller got. Can have the label {@code
     * client}, see {@link ClientLabel}.
     */
    ANSWERS("checktoken.answers", "Answers of the introspection endpoint"),

    KEY_FETCHES("checktoken.key.fetches", "Requests for JWK Sets of data providers"),

    /** Given to the mail server, or not accepted by it. */
    CODE_MAILS("checktoken.code.mails", "E-mails with a code");

    private static final String SUCCESS = "success";
    private static final String FAILURE = "failure";

    private final String meter;
    private final String description;

    CheckTokenTimer(String meter, String description) {
        this.meter = meter;
        this.description = description;
    }

    public void record(String realm, boolean success, Duration time) {
        record(Tags.of("realm", realm), success ? SUCCESS : FAILURE, List.of(SUCCESS, FAILURE), time);
    }

    /**
     * With the first record of a realm, or of a client, all outcomes appear, most of them with 0: without a value
     * before, Prometheus sees no increase.
     *
     * @param labels those beside the outcome
     * @param outcomes all that there are
     */
    public void record(Tags labels, String outcome, List<String> outcomes, Duration time) {
        Timer timer = timer(labels, outcome);
        if (timer.count() == 0 && !Metrics.globalRegistry.getRegistries().isEmpty()) {
            outcomes.forEach(other -> timer(labels, other));
        }
        timer.record(time);
    }

    private Timer timer(Tags labels, String outcome) {
        return Timer.builder(meter)
                .description(description)
                .tags(labels)
                .tag("outcome", outcome)
                .register(Metrics.globalRegistry);
    }
}
