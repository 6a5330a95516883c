package io.github.checktoken.introspection.keys;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLHandshakeException;

import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Tests the failures that {@link JwksRequestTest} cannot bring about with a host of its own. */
class ConnectionFailureTest {

    @ParameterizedTest
    @MethodSource
    void failureIsDescribedInWords(String words, Throwable failure) {
        assertEquals(words, ConnectionFailure.describe(failure));
    }

    static Stream<Arguments> failureIsDescribedInWords() {
        return Stream.of(
                arguments("there is no route to the host", new NoRouteToHostException("x")),
                arguments("the host cannot be reached or refuses the connection", new ConnectException("x")),
                arguments("no connection of Keycloak's HTTP client was free", new ConnectionPoolTimeoutException()),
                arguments("the host did not answer in time", new ConnectTimeoutException()),
                arguments("the host did not answer in time", new SocketTimeoutException("x")),
                arguments("the host's certificate has expired", handshake(new CertificateExpiredException("x"))),
                arguments("the host's certificate is not valid yet", handshake(new CertificateNotYetValidException())),
                arguments("no TLS connection could be made", handshake(new EOFException())),
                arguments("the host closed the connection before it had answered", new SocketException("x")),
                arguments("the answer cannot be decompressed", new ZipException("x")),
                arguments("the answer cannot be decompressed", new EOFException("x")));
    }

    @Test
    void unexpectedFailureHasItsTypesAndNoWordsOfOthers() {
        Throwable failure = new IOException("Words of the host", new IllegalStateException("and more"));

        assertEquals(
                "the request failed unexpectedly (IOException, IllegalStateException)",
                ConnectionFailure.describe(failure));
    }

    private static Throwable handshake(Exception cause) {
        return new SSLHandshakeException("x").initCause(cause);
    }
}
