package io.github.checktoken.keycloak;

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
}
