package io.github.checktoken.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.common.util.Time;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.SingleUseObjectProvider;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The clock of the store is set. As in Keycloak, an entry of the store ends at a time of day. */
class AttemptLimitTest {

    private static final int MAX = 3;
    private static final int SECONDS = 600;
    private static final int HOURS = 7200;
    private static final SecretKey KEY = new SecretKeySpec(new byte[64], "HmacSHA512");

    /** When each entry of the store ends. */
    private final Map<String, Integer> store = new HashMap<>();

    @AfterEach
    void setClockRight() {
        Time.setOffset(0);
    }

    @Test
    void limitLastsAsLongAsItsAttemptsCount() {
        assertEquals(MAX, attempts());
        Time.setOffset(SECONDS - 60);
        assertTrue(limit().isReached("who"));
        assertEquals(0, attempts());
        Time.setOffset(SECONDS + 1);
        assertFalse(limit().isReached("who"));
        assertEquals(MAX, attempts());
    }

    @Test
    void limitReachedWhileTheClockWasAheadEndsWhenItIsPutBack() {
        Time.setOffset(HOURS);
        assertEquals(MAX, attempts());
        assertTrue(limit().isReached("who"));
        Time.setOffset(0);
        assertFalse(limit().isReached("who"));
        assertEquals(MAX, attempts());
    }

    /** Attempts that are rejected must not make it last. */
    @Test
    void attemptEndsSuchALimitToo() {
        Time.setOffset(HOURS);
        assertEquals(MAX, attempts());
        assertEquals(0, attempts());
        Time.setOffset(0);
        assertEquals(MAX, attempts());
    }

    /** The clocks of nodes may differ a little. */
    @Test
    void limitHoldsForANodeWhoseClockIsAMinuteBehind() {
        assertEquals(MAX, attempts());
        Time.setOffset(-60);
        assertTrue(limit().isReached("who"));
        assertEquals(0, attempts());
    }

    /** Neither is taken for one that a clock was put back for. */
    @Test
    void limitOfTheSameNameThatLastsLongerDoesNotFreeIt() {
        assertEquals(MAX, attempts());
        assertFalse(new AttemptLimit(session(), SlotNameHmac.with(KEY), "name", MAX, 10 * SECONDS).isReached("who"));
        assertTrue(limit().isReached("who"));
    }

    @Test
    void attemptsThatAreLeftAreCounted() {
        assertEquals(MAX, limit().left("who"));
        limit().take("who");
        assertEquals(MAX - 1, limit().left("who"));
        assertEquals(MAX - 1, attempts());
        assertEquals(0, limit().left("who"));
    }

    @Test
    void noAttemptIsAllowedByALimitOfZero() {
        AttemptLimit none = new AttemptLimit(session(), SlotNameHmac.with(KEY), "name", 0, SECONDS);
        assertFalse(none.take("who"));
        assertTrue(none.isReached("who"));
    }

    /** @return how many attempts of twice as many as allowed are allowed */
    private long attempts() {
        return IntStream.range(0, 2 * MAX).filter(i -> limit().take("who")).count();
    }

    private AttemptLimit limit() {
        return new AttemptLimit(session(), SlotNameHmac.with(KEY), "name", MAX, SECONDS);
    }

    private KeycloakSession session() {
        return Fake.of(KeycloakSession.class, (method, arguments) -> switch (method) {
            case "singleUseObjects" -> Fake.of(SingleUseObjectProvider.class, this::store);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private Object store(String method, Object[] arguments) {
        String key = (String) arguments[0];
        store.values().removeIf(end -> end <= Time.currentTime());
        return switch (method) {
            case "putIfAbsent" -> store.putIfAbsent(key, Time.currentTime() + ((Long) arguments[1]).intValue()) == null;
            case "contains" -> store.containsKey(key);
            case "remove" -> {
                store.remove(key);
                yield null;
            }
            default -> throw new UnsupportedOperationException(method);
        };
    }
}
