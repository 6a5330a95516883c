package io.github.checktoken.chaos;

import java.util.concurrent.atomic.AtomicLong;

/** A time in which a neighbour was broken. All times are those of {@link System#nanoTime}. */
final class Outage {

    private final Neighbour neighbour;
    private final String manner;
    private final long begin = System.nanoTime();
    private volatile long end = Long.MAX_VALUE;

    /** How long after the end the last call was made that failed. */
    private final AtomicLong recovery = new AtomicLong();

    Outage(Neighbour neighbour, String manner) {
        this.neighbour = neighbour;
        this.manner = manner;
    }

    Neighbour neighbour() {
        return neighbour;
    }

    long begin() {
        return begin;
    }

    void end() {
        end = System.nanoTime();
    }

    boolean isOver() {
        return end != Long.MAX_VALUE;
    }

    /** Whether it may be why a call failed. */
    boolean excuses(long asked, long answered) {
        return begin <= answered
                && (!isOver() || asked <= end + neighbour.grace().toNanos());
    }

    void blameFor(long asked) {
        recovery.accumulateAndGet(asked - end, Math::max);
    }

    long recoveryMillis() {
        return recovery.get() / 1_000_000;
    }

    String describe(long now) {
        return "%s since %.1f s%s"
                .formatted(
                        this, (now - begin) / 1e9, isOver() ? ", over since %.1f s".formatted((now - end) / 1e9) : "");
    }

    @Override
    public String toString() {
        return neighbour + " " + manner;
    }
}
