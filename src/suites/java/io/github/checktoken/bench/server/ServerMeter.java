package io.github.checktoken.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Reads what a server has used so far. Processor time is that of the whole process, in all its threads (fields
 * {@code utime} and {@code stime} of {@code /proc/{pid}/stat}, in ticks of 10 ms), so garbage collection and compilation
 * are in it.
 */
public final class ServerMeter implements AutoCloseable {

    /** {@code USER_HZ}, which Linux reports as 100 on all common machines. */
    private static final double MILLIS_PER_TICK = 10;

    private static final Duration IDLE = Duration.ofSeconds(4);
    private static final double STILL_FALLING = 0.8;

    /** A server that uses more without load is still compiling. */
    private static final double STILL_COMPILING_MILLIS_PER_SECOND = 100;

    private static final int MOST_IDLE_MEASUREMENTS = 30;

    private final Path stat;
    private final Jvm jvm;
    private double idleMillisPerSecond;

    private ServerMeter(long pid, Jvm jvm) {
        this.stat = Path.of("/proc/" + pid + "/stat");
        this.jvm = jvm;
    }

    static ServerMeter ofJvm(long pid) throws IOException {
        return new ServerMeter(pid, new Jvm(pid));
    }

    /** Of a server that is no JVM: what it allocates is not known. */
    static ServerMeter ofProcess(long pid) {
        return new ServerMeter(pid, null);
    }

    Jvm jvm() {
        return jvm;
    }

    /**
     * Measures what the server uses without any load, which is subtracted from then on. Waits until it no longer falls,
     * because the JVM goes on compiling after a load.
     */
    public double measureIdle() throws IOException, InterruptedException {
        double last = Double.MAX_VALUE;
        double now = idleNow();
        for (int i = 1;
                i < MOST_IDLE_MEASUREMENTS && (now < last * STILL_FALLING || now > STILL_COMPILING_MILLIS_PER_SECOND);
                i++) {
            last = now;
            now = idleNow();
        }
        idleMillisPerSecond = Math.min(last, now);
        return idleMillisPerSecond;
    }

    private double idleNow() throws IOException, InterruptedException {
        Reading before = read();
        Thread.sleep(IDLE.toMillis());
        Reading after = read();
        return (after.cpuMillis - before.cpuMillis) / before.secondsUntil(after);
    }

    public Reading read() throws IOException {
        return new Reading(System.nanoTime(), cpuMillis(), jvm == null ? Map.of() : jvm.allocatedBytes());
    }

    /** @return what was used between two readings, without what an idle server would have used */
    public Usage between(Reading before, Reading after) {
        double seconds = before.secondsUntil(after);
        long bytes = after.allocatedBytes.entrySet().stream()
                .mapToLong(entry -> entry.getValue() - before.allocatedBytes.getOrDefault(entry.getKey(), 0L))
                .sum();
        return new Usage(
                seconds,
                after.cpuMillis - before.cpuMillis - idleMillisPerSecond * seconds,
                jvm == null ? Double.NaN : bytes);
    }

    private double cpuMillis() throws IOException {
        String line = Files.readString(stat);
        // The name of the program, in parentheses, may contain spaces.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_PER_TICK;
    }

    @Override
    public void close() throws IOException {
        if (jvm != null) {
            jvm.close();
        }
    }

    /**
     * @param nanos in the time of {@link System#nanoTime}
     * @param allocatedBytes by thread id
     */
    public record Reading(long nanos, double cpuMillis, Map<Long, Long> allocatedBytes) {

        double secondsUntil(Reading later) {
            return (later.nanos - nanos) / 1e9;
        }
    }

    /** @param allocatedBytes NaN if the server is no JVM */
    public record Usage(double seconds, double cpuMillis, double allocatedBytes) {}
}
