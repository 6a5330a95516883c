package io.github.checktoken.support.client;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.support.server.KeycloakServer;

/** A data provider's host of its JWK Set, well-behaved or not, which counts how often it is asked. */
public final class JwksServer implements AutoCloseable {

    /** What the host does with a request; the body may be written a piece at a time. */
    public interface Behaviour {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private static final String PATH = "/jwks.json";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger fetches = new AtomicInteger();
    private final String url;
    private volatile Behaviour behaviour;

    /** @param keycloak which has to reach it */
    public JwksServer(KeycloakServer keycloak, JWK... keys) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        url = "http://" + keycloak.addressOfThisHost(server.getAddress().getPort()) + PATH;
        serve(keys);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public String url() {
        return url;
    }

    /** How often the host was asked, for whatever path. */
    public int fetches() {
        return fetches.get();
    }

    /** Serves the public halves from now on. */
    public void serve(JWK... keys) {
        serve(json(keys));
    }

    public void serve(String jwks) {
        behave(body(200, "application/json", jwks));
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    /** The public halves as a JWK Set. */
    public static String json(JWK... keys) {
        return new JWKSet(List.of(keys)).toPublicJWKSet().toString();
    }

    public static Behaviour body(int status, String contentType, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", contentType);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    public static Behaviour redirect(String location) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** Says nothing for 30 seconds. */
    public static Behaviour silence() {
        return exchange -> Thread.sleep(30_000);
    }

    /** Answers with this set after a while. */
    public static Behaviour after(Duration pause, String jwks) {
        return exchange -> {
            Thread.sleep(pause.toMillis());
            body(200, "application/json", jwks).answer(exchange);
        };
    }

    /** A byte every 200 milliseconds, without an end. */
    public static Behaviour trickle() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            while (true) {
                body.write(' ');
                body.flush();
                Thread.sleep(200);
            }
        };
    }

    /** A text and then spaces up to as many bytes, as fast as they are taken. */
    public static Behaviour flood(String text, long bytes) {
        return exchange -> {
            byte[] start = text.getBytes(StandardCharsets.UTF_8);
            byte[] piece = " ".repeat(8192).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, bytes);
            exchange.getResponseBody().write(start);
            for (long sent = start.length; sent < bytes; sent += piece.length) {
                exchange.getResponseBody().write(piece, 0, (int) Math.min(piece.length, bytes - sent));
            }
        };
    }

    /** Refuses connections from now on. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) {
        fetches.incrementAndGet();
        try (exchange) {
            behaviour.answer(exchange);
        } catch (IOException e) {
            // Keycloak has hung up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
