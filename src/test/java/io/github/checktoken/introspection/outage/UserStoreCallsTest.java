package io.github.checktoken.introspection.outage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.checktoken.introspection.outage.UserStoreCalls.Call;
import io.github.checktoken.introspection.outage.UserStoreCalls.End;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.introspection.outage.UserStoreCalls.AT_ONCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UserStoreCallsTest {

    private long nanoTime = System.nanoTime();
    private final UserStoreCalls calls = new UserStoreCalls(() -> nanoTime);

    @Test
    void manyMayAskAStoreThatAnswersAtOnce() {
        for (int i = 0; i < 100; i++) {
            begun("realm", 1).forEach(call -> calls.end(call, End.ANSWER));
            later(600);
        }
        assertEquals(AT_ONCE, begun("realm", AT_ONCE).size());
    }

    @Test
    void manyMayAskASlowStore() {
        List<Call> slow = begun("realm", AT_ONCE);
        later(600);
        slow.stream().skip(UserStoreCalls.OF_A_REALM).forEach(call -> calls.end(call, End.ANSWER));
        later(490);
        assertTrue(mayAsk("realm"));
        later(20);
        assertFalse(mayAsk("realm"));
    }

    @Test
    void oneMoreThanMayAskAtOnceWaitsUntilAnotherHasEnded() throws Exception {
        List<Call> others = begun("realm", AT_ONCE);
        FutureTask<Optional<Call>> oneMore = new FutureTask<>(() -> calls.begin("realm"));
        Thread thread = new Thread(oneMore);
        thread.start();
        Waiting.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        calls.end(others.get(0), End.ANSWER);
        assertTrue(oneMore.get(400, TimeUnit.MILLISECONDS).isPresent());
    }

    @Test
    void oneMoreThanMayAskAtOnceDoesNotWaitForLong() {
        UserStoreCalls inRealTime = new UserStoreCalls(System::nanoTime);
        for (int i = 0; i < AT_ONCE; i++) {
            inRealTime.begin("realm");
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> assertEquals(Optional.empty(), inRealTime.begin("realm")));
    }

    @Test
    void oneOfEachRealmMayAlwaysAsk() {
        begun("realm", AT_ONCE);
        assertTrue(mayAsk("another"));
    }

    @Test
    void onlyAFewWaitForAStoreThatDoesNotAnswer() {
        List<Call> first = begun("realm", AT_ONCE);
        later(501);
        assertTimeoutPreemptively(Duration.ofMillis(400), () -> assertFalse(mayAsk("realm")));
        first.forEach(call -> calls.end(call, End.FAILURE));
        assertEquals(UserStoreCalls.OF_A_REALM, begun("realm", AT_ONCE).size());
    }

    @Test
    void aStoreIsTrustedAgainIfNoCallHasFailedForAWhile() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        assertEquals(UserStoreCalls.OF_A_REALM, endedAtOnce(begun("realm", AT_ONCE)));
        later(10_001);
        assertEquals(AT_ONCE, endedAtOnce(begun("realm", AT_ONCE)));
    }

    @Test
    void anAnswerAboutACachedPersonDoesNotShowThatTheStoreAnswers() {
        begun("realm", UserStoreCalls.OF_A_REALM - 1);
        later(501);
        calls.end(begun("realm", 1).get(0), End.ANSWER);
        begun("realm", 1);
        assertFalse(mayAsk("realm"));
    }

    @Test
    void anotherFailureSaysNothingAboutTheStore() {
        calls.end(begun("realm", 1).get(0), End.UNKNOWN);
        assertEquals(AT_ONCE, begun("realm", AT_ONCE).size());
    }

    @Test
    void aStoreThatHasFailedDoesNotWaitForThoseThatAnswer() {
        calls.end(begun("realm", 1).get(0), End.FAILURE);
        begun("another", AT_ONCE);
        assertTrue(mayAsk("realm"));
    }

    @Test
    void storesThatDoNotAnswerHaveALimitTogether() {
        begun("first", UserStoreCalls.OF_ALL_REALMS / 3);
        begun("second", UserStoreCalls.OF_ALL_REALMS / 3);
        begun("third", UserStoreCalls.OF_ALL_REALMS / 3);
        later(501);
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
