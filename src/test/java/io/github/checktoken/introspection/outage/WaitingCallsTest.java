package io.github.checktoken.introspection.outage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.checktoken.introspection.outage.WaitingCalls.Call;
import io.github.checktoken.introspection.outage.WaitingCalls.End;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.introspection.outage.WaitingCalls.OF_A_REALM_AT_ONCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WaitingCallsTest {

    private long nanoTime = System.nanoTime();
    private final WaitingCalls calls = new WaitingCalls(() -> nanoTime);

    @Test
    void manyMayAskAStoreThatAnswersAtOnce() {
        for (int i = 0; i < 100; i++) {
            begun("realm", 1).forEach(call -> calls.end(call, End.ANSWER));
            later(200);
        }
        assertEquals(OF_A_REALM_AT_ONCE, begun("realm", OF_A_REALM_AT_ONCE).size());
    }

    @Test
    void manyMayAskASlowStore() {
        List<Call> slow = begun("realm", WaitingCalls.OF_A_REALM);
        later(350);
        calls.end(slow.get(0), End.ANSWER);
        later(290);
        assertTrue(mayAsk("realm"));
    }

    @Test
    void oneMoreThanMayAskAtOnceWaitsUntilAnotherHasEnded() throws Exception {
        List<Call> others = begun("realm", OF_A_REALM_AT_ONCE);
        FutureTask<Optional<Call>> oneMore = waiting("realm");
        assertFalse(oneMore.isDone());
        calls.end(others.get(0), End.ANSWER);
        assertTrue(oneMore.get(10, TimeUnit.SECONDS).isPresent());
    }

    @Test
    void oneMoreThanMayAskAtOnceDoesNotWaitForLong() {
        WaitingCalls inRealTime = new WaitingCalls(System::nanoTime);
        for (int i = 0; i < OF_A_REALM_AT_ONCE; i++) {
            inRealTime.begin("realm");
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> assertEquals(Optional.empty(), inRealTime.begin("realm")));
    }

    @Test
    void nobodyWaitsWhileTheStoreDoesNotAnswer() {
        begun("realm", OF_A_REALM_AT_ONCE);
        later(301);
        assertTimeoutPreemptively(Duration.ofMillis(250), () -> assertFalse(mayAsk("realm")));
    }

    @Test
    void oneCallOfEachRealmMayAlwaysAsk() {
        begun("first", OF_A_REALM_AT_ONCE);
        begun("second", WaitingCalls.OF_ALL_REALMS_AT_ONCE - OF_A_REALM_AT_ONCE);
        assertTrue(mayAsk("third"));
    }

    @Test
    void onlyAFewWaitForAStoreThatDoesNotAnswer() {
        List<Call> first = begun("realm", OF_A_REALM_AT_ONCE);
        later(301);
        assertFalse(mayAsk("realm"));
        first.forEach(call -> calls.end(call, End.FAILURE));
        assertEquals(WaitingCalls.OF_A_REALM, begun("realm", OF_A_REALM_AT_ONCE).size());
    }

    @Test
    void aStoreIsTrustedAgainIfNoCallHasFailedForAWhile() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        assertEquals(WaitingCalls.OF_A_REALM, endedAtOnce(begun("realm", OF_A_REALM_AT_ONCE)));
        later(10_001);
        assertEquals(OF_A_REALM_AT_ONCE, endedAtOnce(begun("realm", OF_A_REALM_AT_ONCE)));
    }

    @Test
    void anAnswerAboutACachedPersonDoesNotShowThatTheStoreAnswers() {
        begun("realm", WaitingCalls.OF_A_REALM - 1);
        later(301);
        calls.end(begun("realm", 1).get(0), End.ANSWER);
        begun("realm", 1);
        assertFalse(mayAsk("realm"));
    }

    @Test
    void anotherFailureSaysNothingAboutTheStore() {
        calls.end(begun("realm", 1).get(0), End.UNKNOWN);
        assertEquals(OF_A_REALM_AT_ONCE, begun("realm", OF_A_REALM_AT_ONCE).size());
    }

    @Test
    void aStoreThatHasFailedDoesNotWaitForThoseThatAnswer() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        begun("another", OF_A_REALM_AT_ONCE);
        assertTrue(mayAsk("realm"));
    }

    @Test
    void storesThatDoNotAnswerHaveALimitTogether() {
        begun("first", WaitingCalls.OF_ALL_REALMS / 3);
        begun("second", WaitingCalls.OF_ALL_REALMS / 3);
        begun("third", WaitingCalls.OF_ALL_REALMS / 3);
        later(301);
        assertFalse(mayAsk("third"));
        assertTrue(mayAsk("another"));
    }

    /** Begins a call in a thread of its own, which waits. */
    private FutureTask<Optional<Call>> waiting(String realm) {
        FutureTask<Optional<Call>> call = new FutureTask<>(() -> calls.begin(realm));
        Thread thread = new Thread(call);
        thread.start();
        Waiting.until(() -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
        return call;
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
