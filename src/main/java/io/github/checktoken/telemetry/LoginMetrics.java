package io.github.checktoken.telemetry;

import java.time.Duration;

import io.micrometer.core.instrument.Tags;

/** The meters of logins. No label names a user or a client. */
public final class LoginMetrics {

    private LoginMetrics() {}

    /**
     * Records an e-mail with a code that was given to the mail server, or was not accepted by it.
     *
     * @param realm the realm's name
     * @param outcome {@code success} or {@code failure}
     */
    public static void mailed(String realm, String outcome, Duration time) {
        Meters.record(
                "checktoken.code.mails", "E-mails with a code", Tags.of("realm", realm), outcome, Meters.RESULTS, time);
    }

    /**
     * Counts a PIN that is rejected from now on, even if it is correct, because there were too many wrong ones.
     *
     * @param realm the realm's name
     */
    public static void pinLocked(String realm) {
        Meters.count("checktoken.pins.locked", "PINs that are rejected for a while, after too many wrong ones", realm);
    }

    /**
     * Counts a login that was refused because nothing was proved in it.
     *
     * @param realm the realm's name
     */
    public static void refusedLogin(String realm) {
        Meters.count("checktoken.logins.refused", "Logins that were refused because nothing was proved in them", realm);
    }

    /** Counts a request of a login that another request of the same tab kept waiting for too long. */
    public static void busyLogin(String realm) {
        Meters.count(
                "checktoken.logins.busy", "Requests of logins that had to wait for another one for too long", realm);
    }

    /**
     * Counts an ID token without {@code amr}, although its request asked for it.
     *
     * @param realm the realm's name
     * @param reason why {@code amr} could not be told
     */
    public static void amrOmitted(String realm, String reason) {
        Meters.count(
                "checktoken.amr.omitted", "ID tokens without amr although it was requested", realm, "reason", reason);
    }
}
