package io.github.checktoken.support.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for time to pass, if that is what a test is about, or for what happens in the background. */
public final class Waiting {

    private Waiting() {}

    /**
     * Waits until all that has happened is older than this, as Keycloak counts: its times are whole seconds.
     *
     * @param seconds with 0 it waits for the next second
     */
    public static void untilAllIsOlderThan(int seconds) {
        long end = (System.currentTimeMillis() / 1000 + seconds + 1) * 1000;
        try {
            for (long rest = end - System.currentTimeMillis(); rest > 0; rest = end - System.currentTimeMillis()) {
                TimeUnit.MILLISECONDS.sleep(rest);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the server has done something that no request waits for, at most 20 seconds. */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("It did not happen within 20 seconds");
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
