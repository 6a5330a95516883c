package io.github.checktoken.introspection.keys;

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
 * Loads JWK Sets from their URLs: a few at a time on a node, and one at a time from each URL. It has its own threads,
 * which end when they are idle. If the DNS lookup of a host hangs, it blocks its thread longer than the timeout of a
 * request.
 */
final class JwksLoader implements AutoCloseable {

    /** How many sets are loaded at the same time. */
    private static final int MAX_PARALLEL = 8;

    /**
     * How many of these may be from hosts whose last load was slow and gave no key, so that others always get a turn.
     */
    private static final int MAX_PARALLEL_SLOW = 4;

    private static final int MAX_QUEUED = 1000;
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MAX_PARALLEL, MAX_PARALLEL, IDLE_SECONDS, TimeUnit.SECONDS, new NewestFirstQueue(), threadFactory("load"));
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, threadFactory("watch"));
    private final Semaphore slowHosts = new Semaphore(MAX_PARALLEL_SLOW);
    private final Map<String, Pending> underWay = new ConcurrentHashMap<>();

    private record Pending(CompletableFuture<FetchedJwks> load, Runnable task) {}

    public JwksLoader() {
        threads.allowCoreThreadTimeOut(true);
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        watch.setRemoveOnCancelPolicy(true);
    }

    /**
     * Queues a load, or joins the one that is already queued or running for this URL.
     *
     * @param slow whether the last load from the host was slow and gave no key
     * @param realm the realm's name, for the meter
     * @return the result, which never completes exceptionally; empty if too many sets are being loaded
     */
    public synchronized Optional<CompletableFuture<FetchedJwks>> load(
            String url, boolean slow, CloseableHttpClient client, String realm) {
        Pending pending = underWay.get(url);
        if (pending != null) {
            return Optional.of(pending.load());
        }
        if (slow && !slowHosts.tryAcquire()) {
            return Optional.empty();
        }
        CompletableFuture<FetchedJwks> load = new CompletableFuture<>();
        Runnable task = () -> load(url, slow, new JwksRequest(client, realm, watch), load);
        underWay.put(url, new Pending(load, task));
        try {
            threads.execute(task);
            return Optional.of(load);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The JVM throws OutOfMemoryError if it cannot create a thread.
            remove(url, slow);
            return Optional.empty();
        }
    }

    /** Moves a load that has not started yet to the head of the queue, because a caller needs it. */
    public synchronized void prioritize(String url) {
        Pending pending = underWay.get(url);
        if (pending != null && threads.remove(pending.task())) {
            // Not execute(), which may create a thread and fails if it cannot. A task waits in the queue only while
            // other threads run.
            threads.getQueue().offer(pending.task());
        }
    }

    private void load(String url, boolean slow, JwksRequest request, CompletableFuture<FetchedJwks> load) {
        FetchedJwks fetched = request.fetch(url);
        remove(url, slow);
        load.complete(fetched);
    }

    private void remove(String url, boolean slow) {
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

    private static ThreadFactory threadFactory(String name) {
        return task -> {
            Thread thread = new Thread(task, "checktoken-jwks-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Takes the newest load first. Otherwise, if many hosts hang, the first load from another host would wait for all
     * of them.
     */
    private static final class NewestFirstQueue extends LinkedBlockingDeque<Runnable> {

        private NewestFirstQueue() {
            super(MAX_QUEUED);
        }

        @Override
        public boolean offer(Runnable task) {
            return offerFirst(task);
        }
    }
}
