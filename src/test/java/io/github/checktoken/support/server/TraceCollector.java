package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;

/** Receives the traces that the server exports (OTLP over HTTP). */
public final class TraceCollector {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    TraceCollector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /**
     * Waits for the server's span of the request, which ends after all others. The server exports spans every few seconds.
     *
     * @param parentId the caller's span, as in its {@code traceparent}
     * @return all spans of the request
     */
    public List<Span> trace(String traceId, String parentId) {
        for (long end = System.nanoTime() + LIMIT.toNanos(); System.nanoTime() < end; ) {
            List<Span> trace = spans.stream()
                    .filter(span -> hex(span.getTraceId()).equals(traceId))
                    .toList();
            if (trace.stream().anyMatch(span -> hex(span.getParentSpanId()).equals(parentId))) {
                return trace;
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
        throw new AssertionError("no span of the request in trace " + traceId);
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()).getResourceSpansList().stream()
                    .flatMap(resource -> resource.getScopeSpansList().stream())
                    .forEach(scope -> spans.addAll(scope.getSpansList()));
            exchange.sendResponseHeaders(200, -1);
        }
    }
}
