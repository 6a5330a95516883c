package io.github.checktoken.telemetry;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CheckTokenTimerTest {

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
    void firstRecordOfARealmShowsEachOutcome() {
        String realm = UUID.randomUUID().toString();
        CheckTokenTimer.ANSWERS.record(Tags.of("realm", realm), "active", List.of("active", "inactive"), Duration.ZERO);
        assertEquals(
                Set.of("active 1", "inactive 0"),
                registry.find("checktoken.answers").tag("realm", realm).timers().stream()
                        .map(timer -> timer.getId().getTag("outcome") + " " + timer.count())
                        .collect(Collectors.toSet()));
    }
}
