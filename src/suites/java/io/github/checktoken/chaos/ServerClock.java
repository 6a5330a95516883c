package io.github.checktoken.chaos;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.github.checktoken.support.server.FakeClock;

/** Keycloak's clock, and what it can have shown at a time. Seconds are those since the epoch. */
final class ServerClock {

    /** The longest time until Keycloak notices a change. */
    private static final long UNCERTAIN = TimeUnit.SECONDS.toNanos(2);

    private record Setting(long since, long secondsAhead) {}

    private final long beginMillis = System.currentTimeMillis();
    private final long begin = System.nanoTime();
    private final FakeClock clock;
    private final List<Setting> settings = new CopyOnWriteArrayList<>(List.of(new Setting(begin, 0)));

    ServerClock(FakeClock clock) {
        this.clock = clock;
    }

    void set(long secondsAhead) throws IOException {
        settings.add(new Setting(System.nanoTime(), secondsAhead));
        clock.set(secondsAhead);
    }

    /** The earliest time that it can have shown between two values of {@link System#nanoTime}. */
    long earliest(long from, long to) {
        return seconds(from) + ahead(from, to).min().orElseThrow();
    }

    long latest(long from, long to) {
        return seconds(to) + 1 + ahead(from, to).max().orElseThrow();
    }

    boolean wasNotSet(long from, long to) {
        return ahead(from, to).distinct().count() == 1;
    }

    private long seconds(long nanos) {
        return (beginMillis + TimeUnit.NANOSECONDS.toMillis(nanos - begin)) / 1000;
    }

    private LongStream ahead(long from, long to) {
        List<Setting> known = List.copyOf(settings);
        return LongStream.range(0, known.size())
                .filter(i -> known.get((int) i).since() <= to)
                .filter(i -> i + 1 == known.size() || known.get((int) i + 1).since() + UNCERTAIN >= from)
                .map(i -> known.get((int) i).secondsAhead());
    }
}
