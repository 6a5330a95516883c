package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.github.checktoken.telemetry.CheckTokenMetrics.NoticeGroup;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CheckTokenMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void record() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void stop() {
        CheckTokenMetrics.noticed(Map.of());
        Metrics.removeRegistry(registry);
    }

    /** An alert must end when there is nothing left to do. */
    @Test
    void noticesAreThoseOfTheLastRun() {
        CheckTokenMetrics.noticed(
                Map.of(new NoticeGroup("a", "key_not_renewed"), 2, new NoticeGroup("b", "secret_expires"), 1));
        CheckTokenMetrics.noticed(Map.of(new NoticeGroup("a", "key_not_renewed"), 3));
        assertEquals(
                Map.of("a", 3.0),
                registry.find("checktoken.notices").gauges().stream()
                        .collect(Collectors.toMap(gauge -> gauge.getId().getTag("realm"), gauge -> gauge.value())));
    }

    @Test
    void answersHaveTheClientsLabelWithEachOutcomeOrNone() {
        String realm = UUID.randomUUID().toString();
        CheckTokenMetrics.answered(
                realm, Optional.of("dp-tax"), "active", List.of("active", "inactive"), Duration.ZERO);
        assertEquals(Set.of("dp-tax active", "dp-tax inactive"), answers(realm));

        String withoutLabel = UUID.randomUUID().toString();
        CheckTokenMetrics.answered(withoutLabel, Optional.empty(), "active", List.of("active"), Duration.ZERO);
        assertEquals(Set.of("null active"), answers(withoutLabel));
    }

    private Set<String> answers(String realm) {
        return registry.find("checktoken.answers").tag("realm", realm).timers().stream()
                .map(Meter::getId)
                .map(id -> id.getTag("client") + " " + id.getTag("outcome"))
                .collect(Collectors.toSet());
    }
}
