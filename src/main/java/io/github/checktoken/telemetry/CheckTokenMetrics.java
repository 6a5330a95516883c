package io.github.checktoken.telemetry;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;

/**
 * Records timers in Keycloak's own meter registry. They appear at its metrics endpoint if that is enabled; if it is
 * disabled, they cost next to nothing. No label names a client or a user.
 */
public final class CheckTokenMetrics {

    private CheckTokenMetrics() {}

    /**
     * Records one call of the introspection endpoint.
     *
     * @param realm the realm's name
     * @param outcome {@code active}, {@code inactive}, or the {@code error} that the caller got
     */
    public static void answered(String realm, String outcome, Duration time) {
        record("checktoken.answers", "Answers of the introspection endpoint", realm, outcome, time);
    }

    /**
     * Records one request for a data provider's JWK Set.
     *
     * @param realm the realm's name
     * @param outcome {@code success} or {@code failure}
     */
    public static void fetched(String realm, String outcome, Duration time) {
        record("checktoken.key.fetches", "Requests for JWK Sets of data providers", realm, outcome, time);
    }

    /**
     * Counts a login that was refused because nothing was proved in it.
     *
     * @param realm the realm's name
     */
    public static void refusedLogin(String realm) {
        Counter.builder("checktoken.logins.refused")
                .description("Logins that were refused because nothing was proved in them")
                .tag("realm", realm)
                .register(Metrics.globalRegistry)
                .increment();
    }

    /**
     * Counts an ID token without {@code amr}, although its request asked for it.
     *
     * @param realm the realm's name
     * @param reason why {@code amr} could not be told
     */
    public static void amrOmitted(String realm, String reason) {
        Counter.builder("checktoken.amr.omitted")
                .description("ID tokens without amr although it was requested")
                .tag("realm", realm)
                .tag("reason", reason)
                .register(Metrics.globalRegistry)
                .increment();
    }

    /**
     * Counts a call that got 503 because a user store could not be asked.
     *
     * @param realm the realm's name
     */
    public static void userStoreFailed(String realm) {
        Counter.builder("checktoken.user.store.failures")
                .description("Calls that got 503 because a user store could not be asked")
                .tag("realm", realm)
                .register(Metrics.globalRegistry)
                .increment();
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
