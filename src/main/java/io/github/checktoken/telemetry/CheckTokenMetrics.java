package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Records meters in Keycloak's own registry. They appear at its metrics endpoint if that is enabled; if it is disabled,
 * they cost next to nothing. No label names a user, and only that of {@link ClientLabel} names a client.
 */
public final class CheckTokenMetrics {

    private static final List<String> RESULTS = List.of("success", "failure");

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
        record("checktoken.answers", "Answers of the introspection endpoint", tags, outcome, outcomes, time);
    }

    /**
     * Records one request for a data provider's JWK Set.
     *
     * @param realm the realm's name
     * @param outcome {@code success} or {@code failure}
     */
    public static void fetched(String realm, String outcome, Duration time) {
        record(
                "checktoken.key.fetches",
                "Requests for JWK Sets of data providers",
                Tags.of("realm", realm),
                outcome,
                RESULTS,
                time);
    }

    /**
     * Records an e-mail with a code that was given to the mail server, or was not accepted by it.
     *
     * @param realm the realm's name
     * @param outcome {@code success} or {@code failure}
     */
    public static void mailed(String realm, String outcome, Duration time) {
        record("checktoken.code.mails", "E-mails with a code", Tags.of("realm", realm), outcome, RESULTS, time);
    }

    /**
     * Counts a PIN that is rejected from now on, even if it is correct, because there were too many wrong ones.
     *
     * @param realm the realm's name
     */
    public static void pinLocked(String realm) {
        count("checktoken.pins.locked", "PINs that are rejected for a while, after too many wrong ones", realm);
    }

    /**
     * Counts a login that was refused because nothing was proved in it.
     *
     * @param realm the realm's name
     */
    public static void refusedLogin(String realm) {
        count("checktoken.logins.refused", "Logins that were refused because nothing was proved in them", realm);
    }

    /** Counts a request of a login that another request of the same tab kept waiting for too long. */
    public static void busyLogin(String realm) {
        count("checktoken.logins.busy", "Requests of logins that had to wait for another one for too long", realm);
    }

    /**
     * Counts an ID token without {@code amr}, although its request asked for it.
     *
     * @param realm the realm's name
     * @param reason why {@code amr} could not be told
     */
    public static void amrOmitted(String realm, String reason) {
        count("checktoken.amr.omitted", "ID tokens without amr although it was requested", realm, "reason", reason);
    }

    /**
     * Counts a claim that was left out of an answer.
     *
     * @param realm the realm's name
     * @param reason what is wrong with its value
     */
    public static void claimOmitted(String realm, String reason) {
        count("checktoken.claims.omitted", "Claims that were left out of answers", realm, "reason", reason);
    }

    /**
     * Counts a call that got 503 because a user store could not be asked.
     *
     * @param realm the realm's name
     */
    public static void userStoreFailed(String realm) {
        count("checktoken.user.store.failures", "Calls that got 503 because a user store could not be asked", realm);
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

    /** @param furtherTags names and values in turn */
    private static void count(String name, String description, String realm, String... furtherTags) {
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
    private static void record(
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
