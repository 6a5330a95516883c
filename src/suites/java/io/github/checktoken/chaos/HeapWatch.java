package io.github.checktoken.chaos;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.checktoken.bench.server.Jvm;

/** How much of the server's heap is in use after garbage collections. */
final class HeapWatch implements Runnable {

    private static final double MOST = 1.1;

    private final long pid;
    private final List<Long> bytes = new CopyOnWriteArrayList<>();

    HeapWatch(long pid) {
        this.pid = pid;
    }

    /** Connects anew each time, because a connection does not outlive a clock that is set forward. */
    @Override
    public void run() {
        try (Jvm jvm = new Jvm(pid)) {
            bytes.add(jvm.heapAfterCollection());
        } catch (IOException e) {
            System.out.println("The heap was not read: " + e);
        }
    }

    double firstThird() {
        return median(bytes.subList(0, bytes.size() / 3));
    }

    double lastThird() {
        return median(bytes.subList(bytes.size() - bytes.size() / 3, bytes.size()));
    }

    boolean isFlat() {
        return lastThird() <= firstThird() * MOST;
    }

    String text() {
        return "Heap after collections: %.1f MB in the first third, %.1f MB in the last; %s"
                .formatted(
                        firstThird() / 1e6,
                        lastThird() / 1e6,
                        bytes.stream().map(each -> each / 1_000_000).toList());
    }

    private static double median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
