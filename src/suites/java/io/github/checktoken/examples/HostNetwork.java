package io.github.checktoken.examples;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

import io.github.checktoken.support.server.Executable;

/**
 * A network in which programs run, with one cable to this machine and no other route. No DNS server answers there, so
 * programs know only the names that a test gives them. Only root can make one.
 */
final class HostNetwork implements AutoCloseable {

    /** An address that swallows whatever is sent to it: nobody has the link-layer address to which packets go. */
    static final String DEAD_ADDRESS = "2001:db8::1";

    private static final Path HERE = Path.of("").toAbsolutePath();

    // At most 15 characters, which is the limit for the name of an interface.
    private final String name =
            "ct-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    private final String machine;

    /** Ends the test if no network can be made. */
    HostNetwork() {
        if (ExampleRun.of("ip netns add " + name, HERE).status() != 0) {
            Executable.isMissing("No network can be made here: this test needs root and Debian's package iproute2");
        }
        // Four addresses of those for tests (RFC 2544).
        String subnet = "198.18." + ThreadLocalRandom.current().nextInt(256) + ".";
        int first = 4 * ThreadLocalRandom.current().nextInt(64);
        machine = subnet + (first + 1);
        run("""
                ip link add %1$s type veth peer name cable netns %1$s
                ip address add %2$s/30 dev %1$s
                ip link set %1$s up
                ip -n %1$s address add %3$s/30 dev cable
                ip -n %1$s address add 2001:db8::2/64 dev cable nodad
                ip -n %1$s neighbour add %4$s lladdr 02:00:00:00:00:01 dev cable
                ip -n %1$s link set cable up
                ip -n %1$s link set lo up
                mkdir -p /etc/netns/%1$s
                echo 127.0.0.1 localhost >/etc/netns/%1$s/hosts
                echo nameserver 127.0.0.1 >/etc/netns/%1$s/resolv.conf
                """.formatted(name, machine, subnet + (first + 2), DEAD_ADDRESS));
    }

    /** @return the address of this machine in the network */
    String machine() {
        return machine;
    }

    /** Programs get this address for the name. If they know several for a name, they get each. */
    void name(String host, String address) {
        run("echo " + address + " " + host + " >>/etc/netns/" + name + "/hosts");
    }

    /** @return what starts a program in the network, with a space */
    String prefix() {
        return "ip netns exec " + name + " ";
    }

    private static void run(String commands) {
        ExampleRun.of("set -e\n" + commands + " #", HERE).expectSuccess();
    }

    @Override
    public void close() {
        run("ip netns delete " + name + "; rm -r /etc/netns/" + name);
    }
}
