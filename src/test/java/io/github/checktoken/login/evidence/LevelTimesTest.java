package io.github.checktoken.login.evidence;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests which levels of Keycloak's note count. */
class LevelTimesTest {

    @Test
    void noteIsReadAsKeycloakWritesIt() {
        assertEquals(new LevelTimes(Map.of(1, 100, 2, 200)), LevelTimes.parse("{\"1\":100,\"2\":200}"));
        assertEquals("{\"1\":100}", JsonNote.write(new LevelTimes(Map.of(1, 100))));
        assertEquals(new LevelTimes(Map.of()), LevelTimes.parse(null));
        assertEquals(new LevelTimes(Map.of()), LevelTimes.parse("null"));
    }

    @Test
    void highestYoungLevelCounts() {
        LevelTimes levels = LevelTimes.parse("{\"1\":200,\"2\":100}");
        assertEquals(2, levels.highestSince(100));
        assertEquals(1, levels.highestSince(101));
        assertEquals(0, levels.highestSince(201));
    }

    @Test
    void levelAboveOneThatIsTooOldDoesNotCount() {
        assertEquals(0, LevelTimes.parse("{\"1\":100,\"2\":200}").highestSince(150));
    }

    @Test
    void ofTwoTimesForALevelTheLaterOneCounts() {
        LevelTimes levels = new LevelTimes(Map.of(1, 100, 2, 300));
        LevelTimes others = new LevelTimes(Map.of(1, 200, 2, 250, 3, 50));
        assertEquals(new LevelTimes(Map.of(1, 200, 2, 300, 3, 50)), levels.plus(others));
    }

    @Test
    void higherLevelsAreLeftOut() {
        assertEquals(
                new LevelTimes(Map.of(1, 100)),
                LevelTimes.parse("{\"1\":100,\"2\":200}").upTo(1));
    }
}
