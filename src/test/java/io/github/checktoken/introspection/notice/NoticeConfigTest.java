package io.github.checktoken.introspection.notice;

import java.time.Duration;
import java.util.Map;

import io.github.checktoken.settings.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class NoticeConfigTest {

    @Test
    void anHourIsLookedForEveryQuarterOfAnHourUnlessSet() {
        assertEquals(
                new NoticeConfig(Duration.ofMinutes(15), Duration.ofHours(1)), NoticeConfig.of(new Options(Map.of())));
        assertEquals(
                new NoticeConfig(Duration.ofSeconds(1), Duration.ZERO),
                NoticeConfig.of(new Options(Map.of("notice-interval-seconds", "1", "key-failure-seconds", "0"))));
    }

    @ParameterizedTest
    @CsvSource({
        "notice-interval-seconds, 0",
        "notice-interval-seconds, 86401",
        "notice-interval-seconds, 15m",
        "key-failure-seconds, -1",
        "key-failure-seconds, 86401"
    })
    void whatCannotBeMeantIsRefused(String name, String value) {
        Options options = new Options(Map.of(name, value));
        assertThrows(IllegalArgumentException.class, () -> NoticeConfig.of(options));
    }
}
