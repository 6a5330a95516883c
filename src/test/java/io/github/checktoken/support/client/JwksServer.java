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

/** The host of a data provider's JWK Set. It can misbehave, and it counts the requests. */
public final class JwksServer implements AutoCloseable {

    /** What the host does with a request. It may write the body piece by piece. */
    public interface Behaviour {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private static final String PATH = "/jwks.json";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger fetches = new AtomicInteger();
    private final String url;
    private volatile Behaviour behaviour;

    /** @param keycloak the server that has to reach this host */
    public JwksServer(KeycloakServer keycloak, JWK... keys) {
        this(keycloak, 0, keys);
    }

    /** @param port the port of a host that has been closed, or 0 for any that is free */
    public JwksServer(KeycloakServer keycloak, int port, JWK... keys) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
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

    /** @return the number of requests, for any path */
    public int fetches() {
        return fetches.get();
    }

    /** Serves the public keys from now on. */
    public void serve(JWK... keys) {
        serve(json(keys));
    }

    public void serve(String jwks) {
        behave(body(200, "application/json", jwks));
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    /** @return the public keys as a JWK Set */
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

    /** Does not answer for 30 seconds. */
    public static Behaviour silence() {
        return exchange -> Thread.sleep(30_000);
    }

    /** Answers with this set after the pause. */
    public static Behaviour after(Duration pause, String jwks) {
        return exchange -> {
            Thread.sleep(pause.toMillis());
            body(200, "application/json", jwks).answer(exchange);
        };
    }

    /** Sends a byte every 200 milliseconds, without end. */
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

    /** Sends a text and then spaces, this number of bytes in all, as fast as they are received. */
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
            // Keycloak has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
