package io.github.checktoken.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;

/**
 * Counters in Keycloak's own registry. They appear at its metrics endpoint if that is enabled; if it is disabled, they
 * cost next to nothing. Each has the label {@code realm} with the realm's name. No label names a user.
 */
public enum CheckTokenCounter {
    /** With the label {@code reason}: what is wrong with the value. */
    CLAIMS_OMITTED("checktoken.claims.omitted", "Claims that were left out of answers"),

    USER_STORE_FAILURES("checktoken.user.store.failures", "Calls that got 503 because a user store could not be asked"),

    /** With the label {@code reason}: why {@code amr} could not be told. */
    AMR_OMITTED("checktoken.amr.omitted", "ID tokens without amr although it was requested"),

    LOGINS_REFUSED("checktoken.logins.refused", "Logins that were refused because nothing was proved in them"),

    /** Another request of the same tab kept them waiting for too long. */
    LOGINS_BUSY("checktoken.logins.busy", "Requests of logins that had to wait for another one for too long"),

    /** Even the correct one is rejected. */
    PINS_LOCKED("checktoken.pins.locked", "PINs that are rejected for a while, after too many wrong ones");

    private final String meter;
    private final String description;

    CheckTokenCounter(String meter, String description) {
        this.meter = meter;
        this.description = description;
    }

    /** @param furtherLabels names and values in turn */
    public void increment(String realm, String... furtherLabels) {
        Counter.builder(meter)
                .description(description)
                .tag("realm", realm)
                .tags(furtherLabels)
                .register(Metrics.globalRegistry)
                .increment();
    }
}
