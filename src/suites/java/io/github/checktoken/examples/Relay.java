package io.github.checktoken.examples;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes what it gets at an address of this machine to a port on which only this machine is served. */
final class Relay implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final String onlyHost;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

    private Relay(String address, int port, int target, String onlyHost) throws IOException {
        this.listener = new ServerSocket(port, 0, InetAddress.getByName(address));
        this.target = target;
        this.onlyHost = onlyHost;
        start(this::listen);
    }

    /** Like a load balancer that leaves TLS to the server. */
    static Relay loadBalancer(String address, int port, int target) throws IOException {
        return new Relay(address, port, target, null);
    }

    /**
     * Like a company's proxy for calls to outside, which knows CONNECT only (RFC 9110 section 9.3.6).
     *
     * @param onlyHost host and port to which it connects its callers, and to no others
     */
    static Relay forwardProxy(String address, int port, int target, String onlyHost) throws IOException {
        return new Relay(address, port, target, onlyHost);
    }

    /** @return host and port of each request to the proxy; empty for another request than CONNECT */
    Set<String> asked() {
        return Set.copyOf(asked);
    }

    private void listen() {
        try {
            while (true) {
                Socket caller = listener.accept();
                open.add(caller);
                start(() -> serve(caller));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket caller) {
        try (caller) {
            if (onlyHost != null && !connects(caller)) {
                return;
            }
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                open.add(server);
                start(() -> pass(server, caller));
                pass(caller, server);
            }
        } catch (IOException e) {
            // Either of them has closed the connection.
        }
    }

    private boolean connects(Socket caller) throws IOException {
        String[] request = head(caller.getInputStream()).split(" ", 3);
        String host = request[0].equals("CONNECT") ? request[1] : "";
        asked.add(host);
        boolean allowed = host.equals(onlyHost);
        String answer = allowed ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
        caller.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        return allowed;
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either of them has closed the connection.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
