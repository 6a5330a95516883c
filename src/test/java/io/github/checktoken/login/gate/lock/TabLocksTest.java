package io.github.checktoken.login.gate.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class TabLocksTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final List<Request<?>> requests = new ArrayList<>();
    private final TabLocks locks = new TabLocks();

    @AfterEach
    void stopRequests() {
        requests.forEach(request -> request.cancel(true));
    }

    @Test
    void secondRequestGoesOnAfterTheFirst() throws Exception {
        assertTrue(locks.acquire("tab", LONG));
        Request<Boolean> second = request(() -> locks.acquire("tab", LONG));
        assertWaits(second);
        locks.release("tab");
        assertTrue(get(second));
    }

    @Test
    void requestsOfOtherTabsDoNotWait() throws Exception {
        locks.acquire("tab", LONG);
        assertTrue(get(request(() -> locks.acquire("other", SHORT))));
    }

    /** Keycloak opens further sessions of its own within a request. */
    @Test
    void threadKnowsItsTab() throws Exception {
        locks.acquire("tab", LONG);
        assertTrue(locks.isMine("tab"));
        assertFalse(get(request(() -> locks.isMine("tab"))));
    }

    @Test
    void tabIsBusyAsLongAsSomebodyWorksOnIt() {
        assertFalse(locks.isBusy("tab"));
        locks.acquire("tab", LONG);
        assertTrue(locks.isBusy("tab"));
        locks.release("tab");
        assertFalse(locks.isBusy("tab"));
    }

    /** However many requests wait for other tabs. */
    @Test
    void onlyAFewRequestsWaitForOneTab() throws Exception {
        locks.acquire("tab", LONG);
        waitingFor("tab", TabLocks.MOST_OF_ONE_TAB - 1);
        assertFalse(get(request(() -> locks.acquire("tab", LONG))));
        for (int tab = 0; tab < 100; tab++) {
            locks.acquire("tab " + tab, LONG);
            waitingFor("tab " + tab, 1);
        }
    }

    @Test
    void aWaitThatTakesTooLongIsRefusedAndLeavesItsPlace() throws Exception {
        locks.acquire("tab", LONG);
        for (int request = 0; request < TabLocks.MOST_OF_ONE_TAB; request++) {
            assertFalse(get(request(() -> locks.acquire("tab", SHORT))));
        }
        Request<Boolean> last = request(() -> locks.acquire("tab", LONG));
        assertWaits(last);
        locks.release("tab");
        assertTrue(get(last));
    }

    /** Has a thread of its own, because a thread is let through to a tab that it has. */
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

    private void waitingFor(String tab, int number) throws Exception {
        for (int i = 0; i < number; i++) {
            assertWaits(request(() -> locks.acquire(tab, LONG)));
        }
    }

    private static void assertWaits(Request<?> request) throws InterruptedException {
        while (request.thread.getState() != Thread.State.TIMED_WAITING) {
            assertFalse(request.isDone());
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static <T> T get(Future<T> request) throws Exception {
        return request.get(10, TimeUnit.SECONDS);
    }
}
