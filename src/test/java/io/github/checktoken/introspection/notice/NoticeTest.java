package io.github.checktoken.introspection.notice;

import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NoticeTest {

    private static final long NOW = Instant.parse("2026-11-25T12:00:00Z").getEpochSecond();
    private static final long DAY = 24 * 3600;

    @ParameterizedTest
    @ValueSource(longs = {1, DAY, 14 * DAY})
    void secretThatExpiresWithinFourteenDaysIsTold(long seconds) {
        assertTrue(Notice.ofExpiry(Notice.Kind.SECRET, NOW + seconds, NOW).isPresent());
    }

    @ParameterizedTest
    @ValueSource(longs = {-DAY, 0, 14 * DAY + 1})
    void secretThatHasExpiredOrExpiresLaterIsNotTold(long seconds) {
        assertEquals(Optional.empty(), Notice.ofExpiry(Notice.Kind.SECRET, NOW + seconds, NOW));
    }

    @Test
    void dayIsThatOfTheExpiry() {
        assertEquals(
                Optional.of(new Notice(Notice.Kind.SECRET, "2026-12-05")),
                Notice.ofExpiry(Notice.Kind.SECRET, NOW + 10 * DAY, NOW));
    }
}
