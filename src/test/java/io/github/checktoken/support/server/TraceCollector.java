package io.github.checktoken.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;

/** Receives the traces that the server exports (OTLP over HTTP). */
public final class TraceCollector {

    private static final Duration LIMIT = Duration.ofSeconds(20);

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

    /** @return the spans of a trace, as soon as one has this name. The server exports spans every few seconds */
    public List<Span> trace(String traceId, String awaited) {
        for (long end = System.nanoTime() + LIMIT.toNanos(); System.nanoTime() < end; ) {
            List<Span> trace =
                    spans.stream().filter(span -> hex(span).equals(traceId)).toList();
            if (trace.stream().anyMatch(span -> span.getName().equals(awaited))) {
                return trace;
            }
        }
        throw new AssertionError("no span " + awaited + " in trace " + traceId);
    }

    private static String hex(Span span) {
        return HexFormat.of().formatHex(span.getTraceId().toByteArray());
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
