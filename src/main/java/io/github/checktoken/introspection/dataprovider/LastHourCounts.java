package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** How often something has happened in each of the last twelve periods of five minutes. */
final class LastHourCounts {

    private static final int PERIODS = 12;
    private static final int PERIOD_SECONDS = 300;

    /** The upper half of each is the number of a period since the epoch, the lower half how often. */
    private final AtomicLongArray counts = new AtomicLongArray(PERIODS);

    /** @param seconds since the epoch */
    void count(int seconds) {
        long period = seconds / PERIOD_SECONDS;
        counts.accumulateAndGet(slot(period), period << 32, (old, first) -> old >>> 32 == period ? old + 1 : first + 1);
    }

    /**
     * @param seconds since the epoch
     * @return the counts of the periods, the current one last
     */
    List<Integer> until(int seconds) {
        long current = seconds / PERIOD_SECONDS;
        return IntStream.rangeClosed(1, PERIODS)
                .mapToObj(number -> in(current - PERIODS + number))
                .toList();
    }

    private int in(long period) {
        long count = counts.get(slot(period));
        return count >>> 32 == period ? (int) count : 0;
    }

    private static int slot(long period) {
        return (int) (period % PERIODS);
    }
}
