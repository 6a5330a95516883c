package io.github.checktoken.guest.journey;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Does many things at the same moment. */
final class Crowd {

    static final Executor THREADS = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    private Crowd() {}

    /** @return the results in the order of what was to be done */
    static <T> List<T> atOnce(List<Supplier<T>> all) {
        CountDownLatch begin = new CountDownLatch(1);
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (Supplier<T> each : all) {
            running.add(CompletableFuture.supplyAsync(
                    () -> {
                        awaitBeginning(begin);
                        return each.get();
                    },
                    THREADS));
        }
        begin.countDown();
        return running.stream().map(CompletableFuture::join).toList();
    }

    /** Does the same so many times at once. */
    static <T> List<T> atOnce(int number, Supplier<T> each) {
        return atOnce(Collections.nCopies(number, each));
    }

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitBeginning(CountDownLatch begin) {
        try {
            begin.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
