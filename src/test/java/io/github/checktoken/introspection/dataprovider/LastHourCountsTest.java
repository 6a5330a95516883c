package io.github.checktoken.introspection.dataprovider;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LastHourCountsTest {

    private static final int NOON = (int) Instant.parse("2026-11-25T12:00:00Z").getEpochSecond();

    private final LastHourCounts lastHour = new LastHourCounts();

    @Test
    void periodsBeginEveryFiveMinutesAndTheCurrentOneIsLast() {
        lastHour.count(NOON - 1);
        lastHour.count(NOON);
        lastHour.count(NOON + 299);
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2), lastHour.until(NOON + 299));
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0), lastHour.until(NOON + 300));
    }

    @Test
    void whatIsOlderThanAnHourIsForgotten() {
        lastHour.count(NOON);
        assertEquals(1, lastHour.until(NOON + 3599).get(0));
        assertEquals(0, sum(NOON + 3600));
        assertEquals(0, sum(NOON + 7200));
    }

    @Test
    void periodOfTheHourBeforeIsCountedAnew() {
        lastHour.count(NOON);
        lastHour.count(NOON);
        lastHour.count(NOON + 3600);
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), lastHour.until(NOON + 3600));
    }

    private int sum(int seconds) {
        return lastHour.until(seconds).stream().mapToInt(Integer::intValue).sum();
    }
}
