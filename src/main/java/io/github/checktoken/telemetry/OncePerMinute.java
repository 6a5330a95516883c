package io.github.checktoken.telemetry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Lets each cause be logged once a minute. */
public final class OncePerMinute {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** {@link System#nanoTime} of the last line, by cause. */
    private final Map<String, Long> logged = new ConcurrentHashMap<>();

    /** @param cause one of few, such as the id of a realm */
    public boolean isDue(String cause) {
        long now = System.nanoTime();
        return logged.compute(cause, (key, last) -> last == null || now - last >= MINUTE ? (Long) now : last) == now;
    }

    /** Begins a minute in which the cause is not logged: a line said that it has ended. */
    public void startAgain(String cause) {
        logged.put(cause, System.nanoTime());
    }
}
