package io.github.checktoken.introspection.outage;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.checktoken.introspection.outage.WaitingCalls.Call;
import io.github.checktoken.introspection.outage.WaitingCalls.End;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WaitingCallsTest {

    private long nanoTime = System.nanoTime();
    private final WaitingCalls calls = new WaitingCalls(() -> nanoTime);

    @Test
    void anyNumberMayAskAStoreThatAnswersAtOnce() {
        for (int i = 0; i < 100; i++) {
            begun("realm", 1).forEach(call -> calls.end(call, End.ANSWER));
            later(200);
        }
        assertEquals(100, begun("realm", 100).size());
    }

    @Test
    void anyNumberMayAskASlowStore() {
        List<Call> slow = begun("realm", 100);
        later(150);
        calls.end(slow.get(0), End.ANSWER);
        later(90);
        assertEquals(100, begun("realm", 100).size());
    }

    @Test
    void onlyAFewWaitForAStoreThatDoesNotAnswer() {
        List<Call> first = begun("realm", 100);
        later(101);
        assertFalse(mayAsk("realm"));
        first.forEach(call -> calls.end(call, End.FAILURE));
        assertEquals(WaitingCalls.OF_A_REALM, begun("realm", 100).size());
    }

    @Test
    void aStoreIsTrustedAgainIfNoCallHasFailedForAWhile() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        assertEquals(WaitingCalls.OF_A_REALM, endedAtOnce(begun("realm", 100)));
        later(10_001);
        assertEquals(100, endedAtOnce(begun("realm", 100)));
    }

    @Test
    void anAnswerAboutACachedPersonDoesNotShowThatTheStoreAnswers() {
        begun("realm", WaitingCalls.OF_A_REALM - 1);
        later(101);
        calls.end(begun("realm", 1).get(0), End.ANSWER);
        begun("realm", 1);
        assertFalse(mayAsk("realm"));
    }

    @Test
    void anotherFailureSaysNothingAboutTheStore() {
        calls.end(begun("realm", 1).get(0), End.UNKNOWN);
        assertEquals(100, begun("realm", 100).size());
    }

    @Test
    void aStoreThatHasFailedDoesNotWaitForThoseThatAnswer() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        begun("another", 100);
        assertTrue(mayAsk("realm"));
    }

    @Test
    void storesThatDoNotAnswerHaveALimitTogether() {
        begun("first", WaitingCalls.OF_ALL_REALMS / 3);
        begun("second", WaitingCalls.OF_ALL_REALMS / 3);
        begun("third", WaitingCalls.OF_ALL_REALMS / 3);
        later(101);
        assertFalse(mayAsk("third"));
        assertTrue(mayAsk("another"));
    }

    private int endedAtOnce(List<Call> begun) {
        begun.forEach(call -> calls.end(call, End.ANSWER));
        return begun.size();
    }

    private boolean mayAsk(String realm) {
        return !begun(realm, 1).isEmpty();
    }

    private List<Call> begun(String realm, int tries) {
        return IntStream.range(0, tries)
                .mapToObj(i -> calls.begin(realm))
                .flatMap(Optional::stream)
                .toList();
    }

    private void later(int milliseconds) {
        nanoTime += TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }
}
