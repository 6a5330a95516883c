package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.Map;

/** Lets each cause be logged once within a time. */
public final class LogInterval {

    /** If there are more, the one that was used least recently is logged again. */
    private static final int MAX_CAUSES = 10_000;

    private final long nanos;

    /** {@link System#nanoTime} of the last line, by cause. */
    private final Map<String, Long> logged = RecentlyUsedMap.atMost(MAX_CAUSES);

    public LogInterval(Duration interval) {
        nanos = interval.toNanos();
    }

    /** @param cause one of few, such as the id of a realm */
    public boolean isDue(String cause) {
        long now = System.nanoTime();
        return logged.compute(cause, (key, last) -> last == null || now - last >= nanos ? (Long) now : last) == now;
    }

    /** Begins a time in which the cause is not logged: a line said that it has ended. */
    public void startAgain(String cause) {
        logged.put(cause, System.nanoTime());
    }
}
