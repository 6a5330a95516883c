package io.github.checktoken.introspection.dataprovider;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.keycloak.events.Errors;
import org.keycloak.models.ClientModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AnswerCountsTest {

    private final AnswerCounts counts = new AnswerCounts();

    @Test
    void whoWasAnsweredLastIsLast() {
        counts.count(client("second"), null, null);
        counts.count(client("third"), Errors.INVALID_TOKEN, "Not an access token");
        counts.count(client("first"), null, null);
        counts.count(client("second"), Errors.USER_DISABLED, null);
        assertEquals(
                List.of("never", "never again", "third", "first", "second"),
                counts.longestSilentFirst(List.of("first", "never", "second", "third", "never again")));
    }

    @Test
    void timeOfTheLastAnswerIsKnownWhateverTheAnswer() {
        assertEquals(Optional.empty(), counts.last("dp"));
        counts.count(client("dp"), Errors.USER_DISABLED, null);
        Duration ago = Duration.between(counts.last("dp").orElseThrow(), Instant.now());
        assertTrue(ago.abs().compareTo(Duration.ofSeconds(3)) < 0, ago::toString);
        assertEquals(Map.of(Errors.USER_DISABLED, 1L), counts.of(client("dp")));
    }

    @Test
    void answersOfTheLastHourAreCountedByReason() {
        counts.count(client("dp"), null, null);
        counts.count(client("dp"), null, null);
        counts.count(client("dp"), Errors.USER_DISABLED, null);
        Map<String, List<Integer>> lastHour = counts.ofLastHour(client("dp"));
        assertEquals(Set.of("active", Errors.USER_DISABLED), lastHour.keySet());
        assertEquals(
                2, lastHour.get("active").stream().mapToInt(Integer::intValue).sum());
        assertEquals(Map.of(), counts.ofLastHour(client("another")));
    }

    private static ClientModel client(String id) {
        return Fake.of(ClientModel.class, Map.of("getId", id));
    }
}
