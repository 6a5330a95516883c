package io.github.checktoken.bench.load;

import java.time.Duration;

/** How many browsers a measurement of logins needs: as many as there can be logins in its time, and some more. */
final class LoginRate {

    private static final double RESERVE = 1.3;

    /** For the first measurement: more logins than a server just started serves in 4 seconds. */
    private static final int FIRST = 600;

    private final Duration longest;
    private double loginsPerSecond;

    /** @param longest the longest measurement */
    LoginRate(Duration longest) {
        this.longest = longest;
    }

    int browsers() {
        return Math.max(FIRST, (int) (loginsPerSecond * longest.toSeconds() * RESERVE));
    }

    /** @param logins how many begin each second */
    int browsersAt(int logins) {
        return (int) (logins * longest.toSeconds() * RESERVE);
    }

    /**
     * A login is a page and two dearer requests, so a third of the fastest pages so far is a number that no login reaches.
     * More browsers would only fill the server's heap with authentication sessions.
     */
    void prepared(int pages, double seconds) {
        loginsPerSecond = Math.max(loginsPerSecond, pages / seconds / 3);
    }
}
