package io.github.checktoken.login.evidence;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.keycloak.models.Constants;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The levels that a login or a session has reached, each with the time when it was reached, in seconds since the epoch. This
 * is how Keycloak stores them in the note {@link Constants#LOA_MAP}.
 */
public record LevelTimes(@JsonValue Map<Integer, Integer> times) {

    private static final LevelTimes NONE = new LevelTimes(Map.of());

    @JsonCreator
    public LevelTimes {
        times = Map.copyOf(times);
    }

    /** @param note may be null */
    public static LevelTimes parse(String note) {
        return JsonNote.read(note, LevelTimes.class).orElse(NONE);
    }

    public LevelTimes upTo(int level) {
        return new LevelTimes(times.entrySet().stream()
                .filter(reached -> reached.getKey() <= level)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** @return these levels and the other ones; of two times for a level, the later one */
    public LevelTimes plus(LevelTimes other) {
        Map<Integer, Integer> all = new TreeMap<>(times);
        other.times.forEach((level, time) -> all.merge(level, time, Math::max));
        return new LevelTimes(all);
    }

    /**
     * Finds the highest level that was reached since then, together with all lower levels: like Keycloak, this stops at
     * the first level that is too old.
     *
     * @param since in seconds since the epoch, inclusive
     * @return 0 if there is none
     */
    public int highestSince(long since) {
        int highest = 0;
        for (Map.Entry<Integer, Integer> reached : new TreeMap<>(times).entrySet()) {
            if (reached.getValue() < since) {
                return highest;
            }
            highest = Math.max(highest, reached.getKey());
        }
        return highest;
    }
}
