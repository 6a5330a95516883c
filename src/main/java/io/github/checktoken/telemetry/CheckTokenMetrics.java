package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/** The meters of the introspection endpoint. No label names a user, and only that of {@link ClientLabel} names a client. */
public final class CheckTokenMetrics {

    private static final MultiGauge NOTICES = MultiGauge.builder("checktoken.notices")
            .description("Data providers whose calls will fail if nobody acts")
            .register(Metrics.globalRegistry);

    private CheckTokenMetrics() {}

    /**
     * Records one call of the introspection endpoint.
     *
     * @param realm the realm's name
     * @param client a value of {@link ClientLabel}; empty if the meter has no such label
     * @param outcome {@code active}, {@code inactive}, or the {@code error} that the caller got
     * @param outcomes all that there are
     */
    public static void answered(
            String realm, Optional<String> client, String outcome, List<String> outcomes, Duration time) {
        Tags tags =
                client.map(name -> Tags.of("realm", realm, "client", name)).orElseGet(() -> Tags.of("realm", realm));
        Meters.record("checktoken.answers", "Answers of the introspection endpoint", tags, outcome, outcomes, time);
    }

    /**
     * Records one request for a data provider's JWK Set.
     *
     * @param realm the realm's name
     * @param outcome {@code success} or {@code failure}
     */
    public static void fetched(String realm, String outcome, Duration time) {
        Meters.record(
                "checktoken.key.fetches",
                "Requests for JWK Sets of data providers",
                Tags.of("realm", realm),
                outcome,
                Meters.RESULTS,
                time);
    }

    /**
     * Counts a claim that was left out of an answer.
     *
     * @param realm the realm's name
     * @param reason what is wrong with its value
     */
    public static void claimOmitted(String realm, String reason) {
        Meters.count("checktoken.claims.omitted", "Claims that were left out of answers", realm, "reason", reason);
    }

    /**
     * Counts a call that got 503 because a user store could not be asked.
     *
     * @param realm the realm's name
     */
    public static void userStoreFailed(String realm) {
        Meters.count(
                "checktoken.user.store.failures", "Calls that got 503 because a user store could not be asked", realm);
    }

    /**
     * Replaces the numbers of data providers that have to act.
     *
     * @param counts only groups with one or more; the meters of other groups disappear
     */
    public static void noticed(Map<NoticeGroup, Integer> counts) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((group, count) ->
                rows.add(MultiGauge.Row.of(Tags.of("realm", group.realm(), "reason", group.reason()), count)));
        NOTICES.register(rows, true);
    }

    /**
     * The data providers of a realm that have the same reason to act.
     *
     * @param realm the realm's name
     */
    public record NoticeGroup(String realm, String reason) {}
}
