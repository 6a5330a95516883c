package io.github.checktoken.cluster.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.checktoken.support.server.Executable;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * Runs the HAProxy that is installed on this machine ({@code apt-get install haproxy}) in front of nodes, with {@code
 * docs/examples/haproxy.cfg}. To its callers it looks like one server. It does not ask {@code /health/ready}: when the
 * first node of two has been killed, the other one may say that it is not ready until a node starts (<a
 * href="https://github.com/keycloak/keycloak/issues/46298">Keycloak issue 46298</a>).
 */
public final class HaproxyServer implements KeycloakServer {

    /** The header with the name of the node that gave an answer, or that was asked and gave none. */
    public static final String NODE = "x-node";

    private static final Path EXAMPLE = Path.of("docs", "examples", "haproxy.cfg");
    private static final String SOCKET = "/run/haproxy/admin.sock";
    private static final String BODY_OF_ITS_OWN = "<html><body><h1>50";

    private final Path folder;
    private final int port;
    private final Path program;
    private List<? extends KeycloakServer> nodes = List.of();
    private Process process;

    public HaproxyServer() throws IOException {
        program = Executable.find("haproxy")
                .orElseThrow(() -> new AssertionError("haproxy is not on the PATH: install Debian's package haproxy"));
        folder = Files.createTempDirectory("checktoken-haproxy-");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    /** @return the name of a node, by its place in the list */
    public static String name(int node) {
        return "node-" + node;
    }

    /** @return whether this is HAProxy's own answer, because the connection to a node failed, or there was no node */
    static boolean isConnectionError(HttpResponse<String> response) {
        return response.statusCode() >= 502 && response.body().startsWith(BODY_OF_ITS_OWN);
    }

    public void start(List<? extends KeycloakServer> nodes) throws IOException {
        this.nodes = nodes;
        start("");
    }

    /**
     * Starts again on the same port.
     *
     * @param options further ones for each node, such as {@code slowstart 30s}
     */
    public void restart(String options) throws IOException {
        stop();
        start(options);
    }

    /** Sends a node no further requests, as an administrator does before the node is stopped. */
    public void drain(int node) throws IOException {
        setState(node, "drain");
    }

    /** Ends {@link #drain}. */
    public void use(int node) throws IOException {
        setState(node, "ready");
    }

    private void setState(int node, String state) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("socket")))) {
            socket.write(StandardCharsets.US_ASCII.encode("set server nodes/" + name(node) + " state " + state + "\n"));
            // It closes the connection when it has done it.
            socket.read(ByteBuffer.allocate(1));
        }
    }

    private void start(String options) throws IOException {
        Path configuration = folder.resolve("haproxy.cfg");
        StringBuilder servers = new StringBuilder("""
                    http-after-response set-header %s %%[srv_name]
                    # A call of the admin API finds what the one before it has written.
                    use-server node-0 if { path_beg /admin/ }
                """.formatted(NODE));
        for (int node = 0; node < nodes.size(); node++) {
            servers.append("    server %s 127.0.0.1:%d %s%n"
                    .formatted(name(node), nodes.get(node).baseUrl().getPort(), options));
        }
        Files.writeString(
                configuration,
                Files.readString(EXAMPLE)
                                .replace(SOCKET, folder.resolve("socket").toString())
                                .replaceFirst("bind .*", "bind 127.0.0.1:" + port)
                                .replaceFirst(" ssl verify .*", "")
                                .replaceAll("(?m)^ *server .*\\n", "")
                        + servers);
        process = new ProcessBuilder(program.toString(), "-db", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        awaitStart();
    }

    private void awaitStart() throws IOException {
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (ConnectException e) {
                if (!process.isAlive()) {
                    throw new IllegalStateException("HAProxy did not start: " + Files.readString(log()), e);
                }
            }
        }
    }

    @Override
    public URI baseUrl() {
        return URI.create("http://localhost:" + port);
    }

    @Override
    public URI secureUrl() {
        return nodes.get(0).secureUrl();
    }

    @Override
    public URI managementUrl() {
        return nodes.get(0).managementUrl();
    }

    @Override
    public String addressOfThisHost(int port) {
        return nodes.get(0).addressOfThisHost(port);
    }

    @Override
    public String install(Path file, String path) throws IOException {
        return nodes.get(0).install(file, path);
    }

    @Override
    public Path log() {
        return folder.resolve("log");
    }

    @Override
    public void close() {
        stop();
        try {
            Files.deleteIfExists(folder.resolve("haproxy.cfg"));
            Files.deleteIfExists(log());
            Files.deleteIfExists(folder.resolve("socket"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stop() {
        try {
            if (process != null) {
                process.destroy();
                process.waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
