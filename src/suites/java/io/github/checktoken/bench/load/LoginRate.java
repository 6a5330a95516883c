package io.github.checktoken.bench.load;

import java.time.Duration;

/** How many browsers a measurement of logins needs: as many as there can be logins in its time, and some more. */
final class LoginRate {

    private static final double RESERVE = 1.3;
    /** For the first measurement: more logins than a server just started serves in 4 seconds. */
    private static final int FIRST = 600;

    private final Duration longest;
    private double pagesPerSecond;

    /** @param longest the longest measurement */
    LoginRate(Duration longest) {
        this.longest = longest;
    }

    int browsers() {
        return Math.max(FIRST, (int) (pagesPerSecond * longest.toSeconds() * RESERVE));
    }

    /** @param logins how many begin each second */
    int browsersAt(int logins) {
        return (int) (logins * longest.toSeconds() * RESERVE);
    }

    /** A login costs more than opening its page, so the fastest pages so far give a number that no login reaches. */
    void prepared(int pages, double seconds) {
        pagesPerSecond = Math.max(pagesPerSecond, pages / seconds);
    }
}
