package io.github.checktoken.keycloak;

import java.time.Instant;

import org.keycloak.common.util.Time;

/** Keycloak's clock. */
public final class CurrentTime {

    private CurrentTime() {}

    /**
     * Calls the method that Keycloak 26.7 has deprecated, because Keycloak 26.5 does not have its successor,
     * {@code currentTimeSeconds}.
     *
     * @return seconds since the epoch
     */
    @SuppressWarnings("deprecation")
    public static int seconds() {
        return Time.currentTime();
    }

    /** @param nanos from now on; negative for a time before. Times of {@link System#nanoTime()} are shown so. */
    public static Instant in(long nanos) {
        return Instant.ofEpochSecond(seconds() + Math.floorDiv(nanos, 1_000_000_000L));
    }
}
