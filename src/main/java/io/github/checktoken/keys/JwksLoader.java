package io.github.checktoken.keys;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.http.impl.client.CloseableHttpClient;

/**
 * Loads JWK Sets from their addresses: few at once on a node, one at once from each address, on threads of its own that
 * end when there is nothing to do. A host whose name service hangs holds one of them longer than a request may last.
 */
final class JwksLoader implements AutoCloseable {

    private static final int MAX_PARALLEL = 8;

    /** Of those, for hosts that were slow to fail the last time. The others are for everybody else. */
    private static final int MAX_PARALLEL_SLOW = 4;

    private static final int MAX_QUEUED = 1000;
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MAX_PARALLEL, MAX_PARALLEL, IDLE_SECONDS, TimeUnit.SECONDS, new NewestFirst(), named("load"));
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, named("watch"));
    private final Semaphore slowHosts = new Semaphore(MAX_PARALLEL_SLOW);
    private final Map<String, Pending> underWay = new ConcurrentHashMap<>();

    private record Pending(CompletableFuture<FetchedJwks> load, Runnable task) {}

    JwksLoader() {
        threads.allowCoreThreadTimeOut(true);
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        watch.setRemoveOnCancelPolicy(true);
    }

    /**
     * @param slow whether the host was slow to fail the last time
     * @param realm its name, for the meter
     * @return never ends with an exception; empty when too many are being loaded
     */
    synchronized Optional<CompletableFuture<FetchedJwks>> load(
            String url, boolean slow, CloseableHttpClient client, String realm) {
        Pending pending = underWay.get(url);
        if (pending != null) {
            return Optional.of(pending.load());
        }
        if (slow && !slowHosts.tryAcquire()) {
            return Optional.empty();
        }
        CompletableFuture<FetchedJwks> begun = new CompletableFuture<>();
        Runnable task = () -> load(url, slow, new JwksRequest(client, realm, watch), begun);
        underWay.put(url, new Pending(begun, task));
        try {
            threads.execute(task);
            return Optional.of(begun);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The latter when no thread can be had.
            ended(url, slow);
            return Optional.empty();
        }
    }

    /** Puts a load that has not begun at the head of the queue: somebody asks for it. */
    synchronized void hasten(String url) {
        Pending pending = underWay.get(url);
        if (pending != null && threads.remove(pending.task())) {
            threads.execute(pending.task());
        }
    }

    private void load(String url, boolean slow, JwksRequest request, CompletableFuture<FetchedJwks> load) {
        long begin = System.nanoTime();
        String json = null;
        String failure = null;
        try {
            json = request.get(url);
        } catch (IOException e) {
            failure = e.getMessage();
        } catch (Throwable e) {
            // Also an Error: nobody is to wait for ever, and the address is to be asked again.
            failure = e.getClass().getSimpleName();
        }
        ended(url, slow);
        load.complete(new FetchedJwks(json, failure, Duration.ofNanos(System.nanoTime() - begin)));
    }

    private void ended(String url, boolean slow) {
        underWay.remove(url);
        if (slow) {
            slowHosts.release();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        watch.shutdownNow();
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, "checktoken-jwks-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** When many hosts hang, the first call for another one would else wait for them all. */
    private static final class NewestFirst extends LinkedBlockingDeque<Runnable> {

        private NewestFirst() {
            super(MAX_QUEUED);
        }

        @Override
        public boolean offer(Runnable task) {
            return offerFirst(task);
        }
    }
}
