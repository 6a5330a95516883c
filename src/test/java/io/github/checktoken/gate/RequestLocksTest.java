package io.github.checktoken.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.checktoken.gate.RequestLocks.BusyException;
import io.github.checktoken.gate.RequestLocks.Holder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RequestLocksTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final ExecutorService requests = Executors.newCachedThreadPool();
    private final RequestLocks locks = new RequestLocks(LONG, LONG);

    @AfterEach
    void stopRequests() {
        requests.shutdownNow();
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
        waitingFor("session", RequestLocks.MOST_WAITING_FOR_ONE);
        assertRefused(request(() -> locks.acquire("session")));
    }

    @Test
    void oneBrowserCannotTakeAllPlaces() throws Exception {
        locks.acquire("session");
        waitingFor("session", RequestLocks.MOST_WAITING_FOR_ONE);
        locks.acquire("other");
        assertWaits(request(() -> locks.acquire("other")));
    }

    @Test
    void onlySomeRequestsOfANodeWait() throws Exception {
        int sessions = 0;
        for (int waiting = 0; waiting < RequestLocks.MOST_WAITING; waiting++) {
            String session = "session " + waiting;
            locks.acquire(session);
            waitingFor(session, 1);
            sessions++;
        }
        assertEquals(RequestLocks.MOST_WAITING, sessions);
        locks.acquire("another");
        assertRefused(request(() -> locks.acquire("another")));
    }

    /** Who is refused or has given up waiting leaves the place to the next one. */
    @Test
    void placesAreFreeAgain() throws Exception {
        RequestLocks impatient = new RequestLocks(SHORT, LONG);
        Holder first = impatient.acquire("session");
        for (int i = 0; i < RequestLocks.MOST_WAITING + RequestLocks.MOST_WAITING_FOR_ONE; i++) {
            assertRefused(request(() -> impatient.acquire("session")));
        }
        Future<Holder> last = request(() -> impatient.acquire("session"));
        impatient.release("session", first);
        assertNotNull(get(last));
    }

    @Test
    void aWaitThatTakesTooLongIsRefused() throws Exception {
        RequestLocks impatient = new RequestLocks(SHORT, LONG);
        impatient.acquire("session");
        assertRefused(request(() -> impatient.acquire("session")));
    }

    @Test
    void aRequestThatTakesTooLongIsReplaced() throws Exception {
        RequestLocks strict = new RequestLocks(SHORT, Duration.ZERO);
        Holder overdue = strict.acquire("session");
        assertNotNull(get(request(() -> strict.acquire("session"))));
        assertEquals(true, overdue.isOverdue());
    }

    @Test
    void releaseOfTheReplacedOneFreesNothing() throws Exception {
        RequestLocks strict = new RequestLocks(SHORT, SHORT.multipliedBy(3));
        Holder overdue = strict.acquire("session");
        TimeUnit.MILLISECONDS.sleep(SHORT.multipliedBy(4).toMillis());
        assertNotNull(get(request(() -> strict.acquire("session"))));
        strict.release("session", overdue);
        assertRefused(request(() -> strict.acquire("session")));
    }

    private <T> Future<T> request(Callable<T> work) {
        return requests.submit(work);
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
