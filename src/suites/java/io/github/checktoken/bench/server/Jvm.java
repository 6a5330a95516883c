package io.github.checktoken.bench.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
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

/** What a running JVM knows of its memory, through a JMX agent that is attached to it. */
public final class Jvm implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ObjectName threading;

    public Jvm(long pid) throws IOException {
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

    /**
     * The bytes that each thread has allocated so far, by its id. {@code getTotalThreadAllocatedBytes} would need JDK 21.
     * The count is exact for threads that live until the end of a measurement. What a thread that ended meanwhile
     * allocated in it is missing.
     */
    public Map<Long, Long> allocatedBytes() throws IOException {
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
}
