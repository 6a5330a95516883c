package io.github.checktoken.introspection.outage;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WaitingCallsTest {

    private long nanoTime = System.nanoTime();
    private final WaitingCalls calls = new WaitingCalls(() -> nanoTime);

    @Test
    void anyNumberMayAskAStoreThatAnswers() {
        assertEquals(100, begun("realm", 100));
        later(90);
        calls.end("realm", true);
        later(90);
        assertEquals(100, begun("realm", 100));
    }

    @Test
    void onlyAFewWaitForAStoreThatDoesNotAnswer() {
        assertTrue(calls.begin("realm"));
        later(101);
        assertEquals(WaitingCalls.OF_A_REALM - 1, begun("realm", 100));
        calls.end("realm", false);
        assertTrue(calls.begin("realm"));
        assertFalse(calls.begin("realm"));
        calls.end("realm", true);
        assertEquals(100, begun("realm", 100));
    }

    @Test
    void storesThatDoNotAnswerHaveALimitTogether() {
        for (String realm : new String[] {"first", "second", "third"}) {
            assertTrue(calls.begin(realm));
        }
        later(101);
        assertEquals(WaitingCalls.OF_A_REALM - 1, begun("first", 100));
        assertEquals(WaitingCalls.OF_ALL_REALMS - WaitingCalls.OF_A_REALM - 2, begun("second", 100));
        assertEquals(0, begun("third", 100));
        assertTrue(calls.begin("another"));
    }

    private int begun(String realm, int tries) {
        return (int) IntStream.range(0, tries).filter(i -> calls.begin(realm)).count();
    }

    private void later(int milliseconds) {
        nanoTime += TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }
}
