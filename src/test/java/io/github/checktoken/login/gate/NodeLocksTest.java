package io.github.checktoken.login.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.checktoken.login.gate.NodeLocks.BusyException;
import io.github.checktoken.login.gate.NodeLocks.Holder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NodeLocksTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final List<FutureTask<?>> requests = new ArrayList<>();
    private final NodeLocks locks = new NodeLocks(LONG, LONG);

    @AfterEach
    void stopRequests() {
        requests.forEach(request -> request.cancel(true));
    }

    @Test
    void secondRequestGoesOnAfterTheFirst() throws Exception {
        Holder first = locks.acquire("session");
        Future<Holder> second = request(() -> locks.acquire("session"));
        assertWaits(second);
        locks.release("session", first);
        assertNotNull(get(second));
    }

    @Test
    void requestsOfOtherSessionsDoNotWait() throws Exception {
        locks.acquire("session");
        assertNotNull(get(request(() -> locks.acquire("other"))));
    }

    /** Keycloak opens further sessions of its own within a request. */
    @Test
    void sameThreadIsLetThrough() throws Exception {
        locks.acquire("session");
        assertNull(locks.acquire("session"));
        assertNull(locks.tryAcquire("session"));
    }

    @Test
    void furtherSessionIsTakenOnlyIfNobodyHasIt() throws Exception {
        Holder first = locks.acquire("session");
        assertNull(get(request(() -> locks.tryAcquire("session"))));
        locks.release("session", first);
        assertNotNull(get(request(() -> locks.tryAcquire("session"))));
    }

    @Test
    void onlyAFewRequestsWaitForOneSession() throws Exception {
        locks.acquire("session");
        waitingFor("session", NodeLocks.MOST_WAITING_FOR_ONE);
        assertRefused(request(() -> locks.acquire("session")));
    }

    @Test
    void oneBrowserCannotTakeAllPlaces() throws Exception {
        locks.acquire("session");
        waitingFor("session", NodeLocks.MOST_WAITING_FOR_ONE);
        locks.acquire("other");
        assertWaits(request(() -> locks.acquire("other")));
    }

    @Test
    void onlySomeRequestsOfANodeWait() throws Exception {
        int sessions = 0;
        for (int waiting = 0; waiting < NodeLocks.MOST_WAITING; waiting++) {
            String session = "session " + waiting;
            locks.acquire(session);
            waitingFor(session, 1);
            sessions++;
        }
        assertEquals(NodeLocks.MOST_WAITING, sessions);
        locks.acquire("another");
        assertRefused(request(() -> locks.acquire("another")));
    }

    @Test
    void whoGivesUpLeavesThePlace() throws Exception {
        NodeLocks impatient = new NodeLocks(SHORT.multipliedBy(5), LONG);
        Holder first = impatient.acquire("session");
        List<Future<Holder>> waiting = new ArrayList<>();
        for (int i = 0; i < NodeLocks.MOST_WAITING; i++) {
            String session = i < NodeLocks.MOST_WAITING_FOR_ONE ? "session" : "session " + i;
            impatient.tryAcquire(session);
            waiting.add(request(() -> impatient.acquire(session)));
        }
        for (Future<Holder> one : waiting) {
            assertRefused(one);
        }
        Future<Holder> last = request(() -> impatient.acquire("session"));
        assertWaits(last);
        impatient.release("session", first);
        assertNotNull(get(last));
    }

    @Test
    void aWaitThatTakesTooLongIsRefused() throws Exception {
        NodeLocks impatient = new NodeLocks(SHORT, LONG);
        impatient.acquire("session");
        assertRefused(request(() -> impatient.acquire("session")));
    }

    @Test
    void aRequestThatTakesTooLongIsReplaced() throws Exception {
        NodeLocks strict = new NodeLocks(SHORT, Duration.ZERO);
        Holder overdue = strict.acquire("session");
        assertNotNull(get(request(() -> strict.acquire("session"))));
        assertTrue(overdue.isOverdue());
    }

    @Test
    void releaseOfTheReplacedOneFreesNothing() throws Exception {
        NodeLocks strict = new NodeLocks(SHORT, Duration.ofSeconds(3));
        Holder overdue = strict.acquire("session");
        while (!overdue.isOverdue()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertNotNull(get(request(() -> strict.acquire("session"))));
        strict.release("session", overdue);
        assertRefused(request(() -> strict.acquire("session")));
    }

    /** Each has a thread of its own, because a thread is let through to a session that it has. */
    private <T> Future<T> request(Callable<T> work) {
        FutureTask<T> request = new FutureTask<>(work);
        requests.add(request);
        new Thread(request).start();
        return request;
    }

    private void waitingFor(String session, int number) throws Exception {
        List<Future<Holder>> waiting = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            waiting.add(request(() -> locks.acquire(session)));
        }
        for (Future<Holder> one : waiting) {
            assertWaits(one);
        }
    }

    private static void assertWaits(Future<?> request) {
        assertThrows(TimeoutException.class, () -> request.get(SHORT.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static void assertRefused(Future<?> request) {
        ExecutionException refused = assertThrows(ExecutionException.class, () -> get(request));
        assertInstanceOf(BusyException.class, refused.getCause());
    }

    private static <T> T get(Future<T> request) throws Exception {
        return request.get(10, TimeUnit.SECONDS);
    }
}
