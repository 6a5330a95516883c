package io.github.checktoken.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.github.checktoken.testkit.TestKit.JSON;

/**
 * What the platform does beside wrong answers: {@code closes} or {@code odd-keys} of {@code network.json}. Those that need
 * HTTP/2 are in the mock platform for Node only, because the JDK has no server for it.
 */
final class Faults {

    private final Map<String, Object> network = JSON.object(TestKit.read("network.json"));
    private final Set<String> names;
    private final Set<InetSocketAddress> callers = ConcurrentHashMap.newKeySet();

    Faults(Set<String> names) {
        this.names = names;
    }

    /** @return the JWK Set, before whose keys are odd ones if that is asked for */
    Map<String, Object> jwks(Map<String, Object> set) {
        if (!names.contains("odd-keys")) {
            return set;
        }
        List<Object> keys = new ArrayList<>((List<?>) network.get("odd_keys"));
        keys.addAll((List<?>) set.get("keys"));
        return Map.of("keys", keys);
    }

    /** @return a handler that closes a connection at its second call, if that is asked for */
    HttpHandler closing(HttpHandler handler) {
        return exchange -> {
            if (names.contains("closes") && !callers.add(exchange.getRemoteAddress())) {
                close(exchange);
            } else {
                handler.handle(exchange);
            }
        };
    }

    /** Without a response, this closes the connection. */
    private static void close(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.close();
    }
}
