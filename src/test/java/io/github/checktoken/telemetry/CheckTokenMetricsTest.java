package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

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
        Metrics.removeRegistry(registry);
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
