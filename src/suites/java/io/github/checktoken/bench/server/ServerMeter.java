package io.github.checktoken.bench.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

/**
 * Reads what Keycloak's JVM has used so far.
 *
 * <p>Processor time is that of the whole process, in all its threads (fields {@code utime} and {@code stime} of
 * {@code /proc/{pid}/stat}, in ticks of 10 ms), so garbage collection and compilation are in it.
 *
 * <p>Allocated bytes are counted by the JVM for each thread and added up here, through a JMX agent that is attached to
 * the running JVM. {@code getTotalThreadAllocatedBytes} would need JDK 21. The count is exact for threads that live
 * until the end of a measurement. What a thread that ended meanwhile allocated in it is missing.
 */
public final class ServerMeter implements AutoCloseable {

    /** {@code USER_HZ}, which Linux reports as 100 on all common machines. */
    private static final double MILLIS_PER_TICK = 10;

    private static final double STILL_FALLING = 0.8;

    /** A server that uses more without load is still compiling. */
    private static final double STILL_COMPILING_MILLIS_PER_SECOND = 100;

    private static final int MOST_IDLE_MEASUREMENTS = 30;

    private final Path stat;
    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ObjectName threading;
    private double idleMillisPerSecond;

    public ServerMeter(long pid) throws IOException {
        stat = Path.of("/proc/" + pid + "/stat");
        try {
            VirtualMachine machine = VirtualMachine.attach("" + pid);
            String address = machine.startLocalManagementAgent();
            machine.detach();
            connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            beans = connector.getMBeanServerConnection();
            threading = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
        } catch (AttachNotSupportedException | JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Measures what the server uses without any load, which is subtracted from then on. Waits until it no longer falls,
     * because the JVM goes on compiling after a load.
     */
    public void measureIdle(Duration duration) throws IOException, InterruptedException {
        double last = Double.MAX_VALUE;
        double now = idleMillisPerSecond(duration);
        for (int i = 1;
                i < MOST_IDLE_MEASUREMENTS && (now < last * STILL_FALLING || now > STILL_COMPILING_MILLIS_PER_SECOND);
                i++) {
            last = now;
            now = idleMillisPerSecond(duration);
        }
        idleMillisPerSecond = Math.min(last, now);
    }

    private double idleMillisPerSecond(Duration duration) throws IOException, InterruptedException {
        Reading before = read();
        Thread.sleep(duration.toMillis());
        return before.until(read()).cpuMillisPerSecond();
    }

    /** Processor milliseconds that the server uses in each second without any load. */
    public double idleMillisPerSecond() {
        return idleMillisPerSecond;
    }

    public Reading read() throws IOException {
        return new Reading(System.nanoTime(), cpuMillis(), allocatedBytes());
    }

    /** @return what was used between two readings, without what an idle server would have used */
    public Usage between(Reading before, Reading after) {
        Usage usage = before.until(after);
        return new Usage(
                usage.seconds(), usage.cpuMillis() - idleMillisPerSecond * usage.seconds(), usage.allocatedBytes());
    }

    /**
     * Lets the JVM collect its garbage.
     *
     * @return the bytes that are still in use in its heap
     */
    public long heapAfterCollection() throws IOException {
        MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    private double cpuMillis() throws IOException {
        String line = Files.readString(stat);
        // The name of the program, in parentheses, may contain spaces.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_PER_TICK;
    }

    private Map<Long, Long> allocatedBytes() throws IOException {
        try {
            ThreadMXBean bean = ManagementFactory.newPlatformMXBeanProxy(
                    beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
            long[] ids = bean.getAllThreadIds();
            long[] bytes = (long[]) beans.invoke(
                    threading, "getThreadAllocatedBytes", new Object[] {ids}, new String[] {long[].class.getName()});
            Map<Long, Long> byThread = new HashMap<>();
            for (int i = 0; i < ids.length; i++) {
                byThread.put(ids[i], Math.max(0, bytes[i]));
            }
            return byThread;
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }

    /**
     * @param nanos in the time of {@link System#nanoTime}
     * @param allocatedBytes by thread id
     */
    public record Reading(long nanos, double cpuMillis, Map<Long, Long> allocatedBytes) {

        Usage until(Reading later) {
            long bytes = later.allocatedBytes.entrySet().stream()
                    .mapToLong(entry -> entry.getValue() - allocatedBytes.getOrDefault(entry.getKey(), 0L))
                    .sum();
            return new Usage((later.nanos - nanos) / 1e9, later.cpuMillis - cpuMillis, bytes);
        }
    }

    public record Usage(double seconds, double cpuMillis, long allocatedBytes) {

        double cpuMillisPerSecond() {
            return cpuMillis / seconds;
        }
    }
}
