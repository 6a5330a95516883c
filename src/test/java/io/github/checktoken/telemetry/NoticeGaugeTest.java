package io.github.checktoken.telemetry;

import java.util.Map;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class NoticeGaugeTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void record() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void stop() {
        NoticeGauge.set(Map.of());
        Metrics.removeRegistry(registry);
    }

    /** An alert must end when there is nothing left to do. */
    @Test
    void noticesAreThoseOfTheLastRun() {
        NoticeGauge.set(Map.of(
                new NoticeGauge.Group("a", "key_not_renewed"), 2, new NoticeGauge.Group("b", "secret_expires"), 1));
        NoticeGauge.set(Map.of(new NoticeGauge.Group("a", "key_not_renewed"), 3));
        assertEquals(
                Map.of("a", 3.0),
                registry.find("checktoken.notices").gauges().stream()
                        .collect(Collectors.toMap(gauge -> gauge.getId().getTag("realm"), gauge -> gauge.value())));
    }
}
