package io.github.checktoken.support.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits until a server has started: as long as something moves, which is a new line of its log or use of the processor,
 * but not for ever.
 */
final class ServerStart {

    /** In minutes: {@code mvn -Pdemo verify -Dkeycloak.start.minutes=20}. */
    static final String SETTING = "keycloak.start.minutes";

    private static final int USUAL_MINUTES = 10;
    private static final Duration STILL = Duration.ofMinutes(3);
    private static final String STARTED = "Listening on:";

    /** The number of its lines that a failed start tells. */
    private static final int LOG_LINES = 20;

    /** A process that waits uses less. */
    private static final Duration LEAST_WORK = Duration.ofMillis(500);

    private final Process process;
    private final Path log;
    private final Duration still;
    private final Duration limit;
    private final CountDownLatch started = new CountDownLatch(1);
    private final Deque<String> lastLines = new ArrayDeque<>();
    private long lastMove = System.nanoTime();
    private Duration workBefore = Duration.ZERO;
    private volatile boolean failed;

    ServerStart(Process process, Path log) {
        this(process, log, STILL, Duration.ofMinutes(Integer.getInteger(SETTING, USUAL_MINUTES)));
    }

    /**
     * @param still how long nothing may move
     * @param limit of the whole start
     */
    ServerStart(Process process, Path log, Duration still, Duration limit) {
        this.process = process;
        this.log = log;
        this.still = still;
        this.limit = limit;
    }

    /**
     * Takes a line of the log.
     *
     * @return whether it is worth telling: what a server says after its start has failed, it says because it is stopped
     */
    synchronized boolean take(String line) {
        lastMove = System.nanoTime();
        lastLines.addLast(line);
        if (lastLines.size() > LOG_LINES) {
            lastLines.removeFirst();
        }
        if (line.contains(STARTED)) {
            started.countDown();
        }
        return !failed;
    }

    /** @return why the server has not started, if it has not: first what happened, then the log up to there */
    Optional<String> await() throws InterruptedException {
        long begin = System.nanoTime();
        while (!started.await(200, TimeUnit.MILLISECONDS)) {
            if (!process.isAlive()) {
                // Its last lines may still be on their way.
                started.await(1, TimeUnit.SECONDS);
                return failure("Keycloak ended by itself, with status %d, before it was ready."
                        .formatted(process.exitValue()));
            }
            if (System.nanoTime() - begin > limit.toNanos()) {
                return failure(("Keycloak was not ready after %s, and is stopped. It was still at work. "
                                + "To wait longer: -D%s=%d.")
                        .formatted(inWords(limit), SETTING, 2 * Math.max(1, limit.toMinutes())));
            }
            if (sinceMove() > still.toNanos()) {
                return failure(
                        "Keycloak did nothing for %s before it was ready, and is stopped.".formatted(inWords(still)));
            }
        }
        return Optional.empty();
    }

    private synchronized long sinceMove() {
        Duration work = work();
        if (work.minus(workBefore).compareTo(LEAST_WORK) > 0) {
            workBefore = work;
            lastMove = System.nanoTime();
        }
        return System.nanoTime() - lastMove;
    }

    /** @return the processor's time of the server and the programs that it has started */
    private Duration work() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .flatMap(each -> each.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    private synchronized Optional<String> failure(String what) {
        failed = true;
        return Optional.of("%s%nIts log, %s, ends there:%n%s".formatted(what, log, String.join("\n", lastLines)));
    }

    private static String inWords(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + " minutes" : time.toSeconds() + " seconds";
    }
}
