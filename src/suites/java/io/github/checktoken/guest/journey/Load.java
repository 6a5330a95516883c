package io.github.checktoken.guest.journey;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Sends requests on several connections, one after the other on each, until it is closed. */
final class Load implements AutoCloseable {

    /** The requests have begun by then. */
    private static final int BEGUN_MILLIS = 150;

    private final List<CompletableFuture<Void>> connections = new ArrayList<>();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean closed;

    /** @param request gets the number of the connection */
    Load(int connections, IntConsumer request) {
        for (int i = 0; i < connections; i++) {
            int connection = i;
            this.connections.add(CompletableFuture.runAsync(() -> run(connection, request), Crowd.THREADS));
        }
        Crowd.pause(BEGUN_MILLIS);
    }

    private void run(int connection, IntConsumer request) {
        while (!closed) {
            try {
                request.accept(connection);
                sent.incrementAndGet();
            } catch (UncheckedIOException e) {
                // The server has closed the connection: the next request opens a new one.
            }
        }
    }

    /** @return how many requests were answered so far */
    int answered() {
        return sent.get();
    }

    @Override
    public void close() {
        closed = true;
        connections.forEach(CompletableFuture::join);
    }
}
