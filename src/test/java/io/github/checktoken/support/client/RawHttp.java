package io.github.checktoken.support.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP/1.1 client over a socket. It sends whatever a test wants, even bytes that no other client would send. */
public final class RawHttp {

    private static final int WAIT_MILLIS = 10_000;
    private static final int LAST_WAIT_MILLIS = 2_000;

    /**
     * How many calls are made from one address, because the server soon rejects all secrets from an address that
     * guesses.
     */
    private static final int CALLS = 10;

    /** On Linux, every address of 127.0.0.0/8 belongs to this machine. */
    private static final boolean HAS_ADDRESSES =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");

    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    private final InetSocketAddress address;
    private Socket socket;
    private InputStream input;
    private int calls;

    public RawHttp(URI server) {
        // Uses the number, because the name may stand for an IPv6 address.
        address = new InetSocketAddress("127.0.0.1", server.getPort());
    }

    /**
     * An answer.
     *
     * @param status 0 if there was no answer
     * @param headers names in lower case
     */
    public record Response(int status, Map<String, String> headers, String body) {

        public String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /** Sends a request on a connection that is kept for the next one. */
    public Response send(String head, byte[] body) throws IOException {
        try {
            return exchange(head, body);
        } catch (IOException e) {
            // The server may close an idle connection, and closes the connection after a request that it cannot read.
            close();
            return exchange(head, body);
        }
    }

    /**
     * Sends a request on a connection of its own. The status is 0 if the server waits for more or closes the
     * connection.
     */
    public Response sendLast(String head, byte[] body) throws IOException {
        close();
        try {
            write(head, body);
            socket.setSoTimeout(LAST_WAIT_MILLIS);
            return read();
        } catch (SocketException | SocketTimeoutException e) {
            return new Response(0, Map.of(), "");
        } finally {
            close();
        }
    }

    void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    private Response exchange(String head, byte[] body) throws IOException {
        write(head, body);
        Response response = read();
        if (response.status() == 0) {
            throw new IOException("hung up");
        }
        if (response.header("connection").equals("close")) {
            close();
        }
        return response;
    }

    private void write(String head, byte[] body) throws IOException {
        if (++calls % CALLS == 0) {
            close();
        }
        if (socket == null) {
            socket = new Socket();
            if (HAS_ADDRESSES) {
                int number = ADDRESSES.incrementAndGet();
                socket.bind(new InetSocketAddress("127.%d.%d.1".formatted(1 + number / 256 % 256, number % 256), 0));
            }
            socket.connect(address, WAIT_MILLIS);
            socket.setSoTimeout(WAIT_MILLIS);
            socket.setTcpNoDelay(true);
            input = new BufferedInputStream(socket.getInputStream());
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        socket.getOutputStream().write(request.toByteArray());
    }

    private Response read() throws IOException {
        String status = line();
        if (status.isEmpty()) {
            return new Response(0, Map.of(), "");
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = "chunked".equalsIgnoreCase(headers.get("transfer-encoding"))
                ? chunks()
                : input.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Response(Integer.parseInt(status.split(" ")[1]), headers, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            byte[] chunk = input.readNBytes(Integer.parseInt(line().strip(), 16));
            line();
            if (chunk.length == 0) {
                return body.toByteArray();
            }
            body.writeBytes(chunk);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int each = input.read(); each >= 0 && each != '\n'; each = input.read()) {
            line.write(each);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }
}
