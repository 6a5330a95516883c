package io.github.checktoken.dataprovider;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Why a JWK Set could not be had, as the log and an administrator read it. */
class JwksRequestTest {

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

    /** Keycloak's client would take it all into memory. */
    @Test
    void headerWithoutAnEndIsGivenUp() throws IOException {
        assertEquals(
                "more than 131072 bytes with its header",
                failure("HTTP/1.1 200 OK\r\nX: " + "x".repeat(64 * 1024 * 1024)));
    }

    /** @param answer the bytes that the host sends, whatever it is asked */
    private static String failure(String answer) throws IOException {
        try (ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CloseableHttpClient client = HttpClients.createDefault()) {
            Thread thread = new Thread(() -> answer(host, answer));
            thread.start();
            JwksRequest request = new JwksRequest(client, "realm");
            String url = "http://127.0.0.1:" + host.getLocalPort();
            return assertThrows(IOException.class, () -> request.get(url)).getMessage();
        }
    }

    private static void answer(ServerSocket host, String answer) {
        try (Socket connection = host.accept()) {
            connection.getInputStream().read(new byte[8192]);
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            connection.getInputStream().read();
        } catch (IOException e) {
            // The test has ended before.
        }
    }
}
