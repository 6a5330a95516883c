package io.github.checktoken.login.gate;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.keycloak.util.JsonSerialization;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.checktoken.walk.Walk;

/**
 * A provider of the type {@code github}, where everybody is signed in at once. Keycloak has no id of its own for identities
 * of this type, and no name if the provider tells none.
 */
final class PlainOAuthProvider implements AutoCloseable {

    static final String ALIAS = "plain";

    private final HttpServer server;
    private Map<String, String> profile = Map.of();

    PlainOAuthProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/login/oauth/authorize", this::redirect);
        server.createContext("/login/oauth/access_token", exchange -> answer(exchange, "access_token=token"));
        server.createContext("/user", exchange -> answer(exchange, JsonSerialization.writeValueAsString(profile)));
        server.start();
    }

    /** The settings with which Keycloak uses this provider. */
    Map<String, Object> settings() {
        String url = "http://localhost:" + server.getAddress().getPort();
        return Map.of(
                "alias",
                ALIAS,
                "providerId",
                "github",
                "enabled",
                true,
                "firstBrokerLoginFlowAlias",
                "first broker login",
                "config",
                Map.of("clientId", "client", "clientSecret", "secret", "baseUrl", url, "apiUrl", url));
    }

    /**
     * Who signs in next.
     *
     * @param login the name there; null if none is told
     */
    void signsIn(String id, String login, String address) {
        profile = new HashMap<>(Map.of("id", id, "email", address, "name", "Camille Moreau"));
        if (login != null) {
            profile.put("login", login);
        }
    }

    private void redirect(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestURI().toString();
        exchange.getResponseHeaders()
                .add(
                        "Location",
                        Walk.parameter(request, "redirect_uri") + "?code=code&state="
                                + Walk.parameter(request, "state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
