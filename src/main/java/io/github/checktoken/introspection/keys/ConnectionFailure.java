package io.github.checktoken.introspection.keys;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

import org.apache.http.ConnectionClosedException;
import org.apache.http.MalformedChunkCodingException;
import org.apache.http.NoHttpResponseException;
import org.apache.http.ProtocolException;
import org.apache.http.TruncatedChunkException;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;

/**
 * Says in words why a request got no answer. It goes by the types of the exceptions only, because their messages would
 * bring text of the host, of any length, into the log.
 */
final class ConnectionFailure {

    /** @param types the types of exceptions that have this reason */
    private record Reason(String words, Class<?>... types) {

        private boolean explains(Throwable failure) {
            return Stream.of(types).anyMatch(type -> type.isInstance(failure));
        }
    }

    /** The first that explains the exception or one of its causes applies, so a subtype comes before its type. */
    private static final List<Reason> REASONS = List.of(
            new Reason("the name of the host is unknown", UnknownHostException.class),
            new Reason("there is no route to the host", NoRouteToHostException.class),
            new Reason("the host cannot be reached or refuses the connection", ConnectException.class),
            new Reason("no connection of Keycloak's HTTP client was free", ConnectionPoolTimeoutException.class),
            new Reason("the host did not answer in time", ConnectTimeoutException.class, SocketTimeoutException.class),
            new Reason("the host's certificate has expired", CertificateExpiredException.class),
            new Reason("the host's certificate is not valid yet", CertificateNotYetValidException.class),
            new Reason("the host's certificate is for another name", SSLPeerUnverifiedException.class),
            new Reason(
                    "Keycloak does not trust the host's certificate",
                    CertPathBuilderException.class,
                    CertificateException.class),
            new Reason("no TLS connection could be made", SSLException.class),
            new Reason(
                    "the host closed the connection before it had answered",
                    NoHttpResponseException.class,
                    ConnectionClosedException.class,
                    TruncatedChunkException.class,
                    SocketException.class),
            new Reason("the answer is not valid HTTP", MalformedChunkCodingException.class, ProtocolException.class),
            new Reason("the answer cannot be decompressed", ZipException.class, EOFException.class));

    private ConnectionFailure() {}

    /** @return in English, without a full stop; with the names of the types if the reason is none of those above */
    static String describe(Throwable failure) {
        List<Throwable> causes =
                Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
        return REASONS.stream()
                .filter(reason -> causes.stream().anyMatch(reason::explains))
                .map(Reason::words)
                .findFirst()
                .orElseGet(() -> "the request failed unexpectedly (" + typeNames(causes) + ")");
    }

    private static String typeNames(List<Throwable> causes) {
        return causes.stream().map(cause -> cause.getClass().getSimpleName()).collect(Collectors.joining(", "));
    }
}
