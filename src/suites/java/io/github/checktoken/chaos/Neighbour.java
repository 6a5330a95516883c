package io.github.checktoken.chaos;

import java.time.Duration;

/** What Keycloak needs and what can fail. */
enum Neighbour {
    DIRECTORY(5),
    DATABASE(10),
    /** A load that has begun ends after 3 seconds, and the next one begins 10 seconds later. */
    KEYS(20),
    OTHER_KEYS(20),
    MAIL(5),
    CLOCK(5);

    private final Duration grace;

    /** @param seconds how long after its return failures are still excused */
    Neighbour(int seconds) {
        this.grace = Duration.ofSeconds(seconds);
    }

    boolean isHostOfKeys() {
        return this == KEYS || this == OTHER_KEYS;
    }

    Duration grace() {
        return grace;
    }
}
