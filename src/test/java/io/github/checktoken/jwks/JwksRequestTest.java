package io.github.checktoken.jwks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.CredentialsProvider;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
                "MalformedChunkCodingException",
                failure("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nWords of the host\r\n"));
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

    /** @param answer the bytes that the host sends for every request */
    private String failure(String answer) throws IOException {
        return failure(answer, HttpClients.createDefault());
    }

    private String failure(String answer, CloseableHttpClient keycloaks) throws IOException {
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        try (ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CloseableHttpClient client = keycloaks) {
            Thread thread = new Thread(() -> answer(host, answer));
            thread.start();
            JwksRequest request = new JwksRequest(client, "realm", watch);
            String url = "http://127.0.0.1:" + host.getLocalPort();
            return assertThrows(IOException.class, () -> request.get(url)).getMessage();
        } finally {
            watch.shutdownNow();
        }
    }

    private void answer(ServerSocket host, String answer) {
        try (Socket connection = host.accept()) {
            byte[] request = new byte[8192];
            for (int read; (read = connection.getInputStream().read(request)) > 0; ) {
                asked.append(new String(request, 0, read, StandardCharsets.US_ASCII));
                connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The test has already ended.
        }
    }
}
