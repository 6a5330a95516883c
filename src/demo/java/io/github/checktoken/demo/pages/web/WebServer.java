package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Serves pages to browsers on this machine alone. A page is requested with GET and changes nothing that lasts; an action
 * is a form that is posted with the visitor's form token.
 */
public final class WebServer implements AutoCloseable {

    /** Answers a request of a visitor. */
    public interface Handler {
        Response answer(Request request, Visitor visitor) throws IOException;
    }

    /** Makes the page for a request that has failed. */
    public interface ErrorPage {
        /** @param status 403 for a form without the token, 404, 405, 413, or 500 */
        Response of(int status, Visitor visitor);
    }

    private static final int THREADS = 4;

    /** The field of a form that has the visitor's form token. */
    public static final String FORM_TOKEN = "form_token";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Visitors visitors = new Visitors();
    private final Map<String, Handler> routes = new HashMap<>();
    private final Map<String, Handler> open = new HashMap<>();
    private final String formTargets;
    private ErrorPage errorPage = (status, visitor) -> Response.text(status, "");

    /**
     * @param port 0 for any free port
     * @param formTarget the origin to which forms of these pages may lead, besides these pages
     * @throws java.net.BindException if the port is in use
     */
    public WebServer(int port, String formTarget) throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        formTargets = formTarget;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    /** @return the address of the pages, without a trailing slash */
    public String url() {
        return "http://" + host();
    }

    public Visitors visitors() {
        return visitors;
    }

    public WebServer page(String path, Handler handler) {
        routes.put("GET " + path, handler);
        return this;
    }

    public WebServer action(String path, Handler handler) {
        routes.put("POST " + path, handler);
        return this;
    }

    /** Something for programs, which send no form token. It must not change anything or use what visitors have. */
    public WebServer service(String path, Handler handler) {
        open.put("POST " + path, handler);
        return this;
    }

    public void start(ErrorPage page) {
        errorPage = page;
        server.start();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            Request request = Request.read(exchange);
            if (!host().equals(exchange.getRequestHeaders().getFirst("Host"))) {
                // Another name for this machine would be another site for cookies. It may also be an attack by DNS.
                send(exchange, Response.seeOther(url() + "/"));
            } else if (request != null && open.containsKey(key(request))) {
                send(exchange, open.get(key(request)).answer(request, null));
            } else if (request == null) {
                send(exchange, errorPage.of(413, new Visitor(Locale.ENGLISH)));
            } else {
                Visitor visitor = visitors.find(request.visitorId(), request.preferredLanguage());
                Response response = answer(request, visitor);
                if (!visitor.id().equals(request.visitorId())) {
                    exchange.getResponseHeaders()
                            .set(
                                    "Set-Cookie",
                                    Visitors.COOKIE + "=" + visitor.id() + "; Path=/; HttpOnly; SameSite=Lax");
                }
                send(exchange, response);
            }
        } catch (IOException e) {
            // The browser has closed the connection.
        }
    }

    private Response answer(Request request, Visitor visitor) {
        Handler handler = routes.get(key(request));
        if (handler == null) {
            boolean otherMethod = routes.keySet().stream().anyMatch(key -> key.endsWith(" " + request.path()));
            return errorPage.of(otherMethod ? 405 : 404, visitor);
        }
        if (request.method().equals("POST") && !isFrom(visitor, request)) {
            return errorPage.of(403, visitor);
        }
        try {
            return handler.answer(request, visitor);
        } catch (IOException | RuntimeException | AssertionError e) {
            // Whatever it is, the person gets a page, and the demo goes on.
            return errorPage.of(500, visitor);
        }
    }

    private static String key(Request request) {
        return request.method() + " " + request.path();
    }

    private static boolean isFrom(Visitor visitor, Request request) {
        return MessageDigest.isEqual(
                visitor.formToken().getBytes(StandardCharsets.US_ASCII),
                request.field(FORM_TOKEN).getBytes(StandardCharsets.UTF_8));
    }

    private void send(HttpExchange exchange, Response response) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", response.contentType());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
                        + "form-action 'self' " + formTargets);
        if (response.location() != null) {
            headers.set("Location", response.location());
        }
        byte[] body = response.bytes();
        exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private String host() {
        return "localhost:" + server.getAddress().getPort();
    }
}
