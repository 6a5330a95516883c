package io.github.checktoken.login.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.login.gate.NodeLocks.BusyException;
import io.github.checktoken.login.gate.NodeLocks.Holder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class NodeLocksTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final List<Request<?>> requests = new ArrayList<>();
    private final NodeLocks locks = new NodeLocks(LONG, LONG);

    @AfterEach
    void stopRequests() {
        requests.forEach(request -> request.cancel(true));
    }

    @Test
    void secondRequestGoesOnAfterTheFirst() throws Exception {
        Holder first = locks.acquire("session");
        Request<Holder> second = request(() -> locks.acquire("session"));
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
        for (int waiting = 0; waiting < NodeLocks.MOST_WAITING; waiting++) {
            String session = "session " + waiting;
            locks.acquire(session);
            waitingFor(session, 1);
        }
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
        Request<Holder> last = request(() -> impatient.acquire("session"));
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

    /** Has a thread of its own, because a thread is let through to a session that it has. */
    private static final class Request<T> extends FutureTask<T> {

        private final Thread thread = new Thread(this);

        Request(Callable<T> work) {
            super(work);
        }
    }

    private <T> Request<T> request(Callable<T> work) {
        Request<T> request = new Request<>(work);
        requests.add(request);
        request.thread.start();
        return request;
    }

    private void waitingFor(String session, int number) throws Exception {
        for (int i = 0; i < number; i++) {
            assertWaits(request(() -> locks.acquire(session)));
        }
    }

    private static void assertWaits(Request<?> request) throws InterruptedException {
        while (request.thread.getState() != Thread.State.TIMED_WAITING) {
            assertFalse(request.isDone());
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void assertRefused(Future<?> request) {
        ExecutionException refused = assertThrows(ExecutionException.class, () -> get(request));
        assertInstanceOf(BusyException.class, refused.getCause());
    }

    private static <T> T get(Future<T> request) throws Exception {
        return request.get(10, TimeUnit.SECONDS);
    }
}
