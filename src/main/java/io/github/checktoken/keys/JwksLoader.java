package io.github.checktoken.keys;

import java.io.IOException;
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

    private static final int AT_ONCE = 8;

    /** Of those, for hosts that were slow to fail the last time. The others are for everybody else. */
    private static final int SLOW_AT_ONCE = 4;

    private static final int MAX_QUEUED = 1000;
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(AT_ONCE, AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new NewestFirst(), named("load"));
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, named("watch"));
    private final Semaphore slowHosts = new Semaphore(SLOW_AT_ONCE);
    private final Map<String, CompletableFuture<String>> underWay = new ConcurrentHashMap<>();

    JwksLoader() {
        threads.allowCoreThreadTimeOut(true);
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        watch.setRemoveOnCancelPolicy(true);
    }

    /**
     * @param slow whether the host was slow to fail the last time
     * @param realm its name, for the meter
     * @return the set, or an {@link IOException} in words for an administrator; empty when too many are being loaded
     */
    synchronized Optional<CompletableFuture<String>> load(
            String url, boolean slow, CloseableHttpClient client, String realm) {
        CompletableFuture<String> load = underWay.get(url);
        if (load != null) {
            return Optional.of(load);
        }
        if (slow && !slowHosts.tryAcquire()) {
            return Optional.empty();
        }
        CompletableFuture<String> begun = new CompletableFuture<>();
        underWay.put(url, begun);
        try {
            threads.execute(() -> load(url, slow, new JwksRequest(client, realm, watch), begun));
            return Optional.of(begun);
        } catch (RejectedExecutionException e) {
            ended(url, slow);
            return Optional.empty();
        }
    }

    private void load(String url, boolean slow, JwksRequest request, CompletableFuture<String> load) {
        try {
            String json = request.get(url);
            ended(url, slow);
            load.complete(json);
        } catch (IOException | RuntimeException e) {
            ended(url, slow);
            load.completeExceptionally(e);
        }
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
