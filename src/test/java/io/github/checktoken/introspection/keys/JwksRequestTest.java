package io.github.checktoken.introspection.keys;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLContext;

import io.github.checktoken.support.server.Keytool;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.CredentialsProvider;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.ssl.SSLContexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Tests the reasons that the log and administrators get if a JWK Set could not be fetched. */
class JwksRequestTest {

    private final StringBuffer asked = new StringBuffer();

    @Test
    void failureNamesTheStatus() throws IOException {
        assertEquals("status 404", failure("HTTP/1.1 404 Not our words\r\nContent-Length: 0\r\n\r\n"));
    }

    @Test
    void failureQuotesNothingOfWhatTheHostSent() throws IOException {
        assertEquals(
                "the answer is not valid HTTP",
                failure("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nWords of the host\r\n"));
    }

    @Test
    void hostThatDoesNotAnswerIsNamed() throws IOException {
        assertEquals("the host closed the connection before it had answered", failure(""));
        assertEquals(
                "the host closed the connection before it had answered",
                failure("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"));
    }

    @Test
    void hostThatRefusesTheConnectionIsNamed() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertEquals(
                "the host cannot be reached or refuses the connection",
                failureOf("http://127.0.0.1:" + port, HttpClients.createDefault()));
    }

    @Test
    void unknownNameOfTheHostIsNamed() throws IOException {
        CloseableHttpClient client = HttpClients.custom()
                .setDnsResolver(name -> {
                    throw new UnknownHostException("Words of the DNS about " + name);
                })
                .build();
        assertEquals("the name of the host is unknown", failureOf("http://jwks.invalid/", client));
    }

    @Test
    void hostWithoutTlsIsNamed() throws IOException {
        try (Host host = new Host(loopback(), "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            assertEquals("no TLS connection could be made", failureOf(host.url("https"), HttpClients.createDefault()));
        }
    }

    @Test
    void certificateIsNamedThatIsNotTrustedOrForAnotherName(@TempDir Path folder)
            throws IOException, GeneralSecurityException {
        Path file = folder.resolve("host.p12");
        new Keytool(file).generate("host", "CN=another.example.org", "secp256r1");
        KeyStore store = KeyStore.getInstance(file.toFile(), Keytool.PASSWORD.toCharArray());
        SSLContext tls = SSLContexts.custom()
                .loadKeyMaterial(store, Keytool.PASSWORD.toCharArray())
                .loadTrustMaterial(store, null)
                .build();
        ServerSocket socket = tls.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (Host host = new Host(socket, "")) {
            assertEquals(
                    "Keycloak does not trust the host's certificate",
                    failureOf(host.url("https"), HttpClients.createDefault()));
            assertEquals(
                    "the host's certificate is for another name",
                    failureOf(
                            host.url("https"),
                            HttpClients.custom().setSSLContext(tls).build()));
        }
    }

    /** Without the limit, Keycloak's HTTP client would read the whole header into memory. */
    @Test
    void headerWithoutAnEndIsGivenUp() throws IOException {
        assertEquals(
                "more than 131072 bytes with its header",
                failure("HTTP/1.1 200 OK\r\nX: " + "x".repeat(64 * 1024 * 1024)));
    }

    /** If an address contains credentials, Keycloak's HTTP client keeps them for all later requests. */
    @Test
    void credentialsThatTheClientKnowsAreNotSent() throws IOException {
        CredentialsProvider known = new BasicCredentialsProvider();
        known.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("user", "word"));
        assertEquals(
                "status 401",
                failure(
                        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
                        HttpClients.custom()
                                .setDefaultCredentialsProvider(known)
                                .build()));
        assertFalse(asked.toString().contains("Authorization"), asked.toString());
    }

    private String failure(String answer) throws IOException {
        return failure(answer, HttpClients.createDefault());
    }

    /** @param answer the bytes that the host sends for every request */
    private String failure(String answer, CloseableHttpClient keycloaks) throws IOException {
        try (Host host = new Host(loopback(), answer)) {
            return failureOf(host.url("http"), keycloaks);
        }
    }

    private static String failureOf(String url, CloseableHttpClient keycloaks) throws IOException {
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        try (CloseableHttpClient client = keycloaks) {
            FetchedJwks fetched = new JwksRequest(client, "realm", watch).fetch(url);
            assertNull(fetched.json());
            return fetched.failure();
        } finally {
            watch.shutdownNow();
        }
    }

    private static ServerSocket loopback() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** A host that sends the same bytes for every request, and closes the connection if there are none to send. */
    private final class Host implements AutoCloseable {

        private final ServerSocket socket;
        private final byte[] answer;

        private Host(ServerSocket socket, String answer) {
            this.socket = socket;
            this.answer = answer.getBytes(StandardCharsets.US_ASCII);
            new Thread(this::serve).start();
        }

        private String url(String scheme) {
            return scheme + "://127.0.0.1:" + socket.getLocalPort();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                    answer(connection);
                } catch (IOException e) {
                    // The client has closed the connection, or the test has ended.
                }
            }
        }

        private void answer(Socket connection) throws IOException {
            byte[] request = new byte[8192];
            int read = connection.getInputStream().read(request);
            if (read > 0) {
                asked.append(new String(request, 0, read, StandardCharsets.US_ASCII));
                connection.getOutputStream().write(answer);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
