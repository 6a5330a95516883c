package io.github.checktoken.support.browser;

import java.net.HttpCookie;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A browser's cookies, only by path and name, because the tests' browsers know only one server. Secure cookies are sent
 * over plain HTTP to the loopback address, which the JDK's own cookie store does not do. Several requests may use them at
 * once.
 */
public final class Cookies {

    private final Map<Key, String> values = new LinkedHashMap<>();

    /** The two realms of a brokered login use the same names of cookies, but each has its own path. */
    private record Key(String path, String name) {}

    public synchronized HttpRequest.Builder addTo(HttpRequest.Builder request) {
        String path = request.copy().build().uri().getPath();
        String sent = values.entrySet().stream()
                .filter(cookie -> path.startsWith(cookie.getKey().path()))
                .map(cookie -> cookie.getKey().name() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        return sent.isEmpty() ? request : request.header("Cookie", sent);
    }

    /** @param wanted whether to keep a cookie of this name */
    public synchronized void keep(HttpResponse<String> response, Predicate<String> wanted) {
        response.headers().allValues("Set-Cookie").stream()
                .flatMap(header -> HttpCookie.parse(header).stream())
                .filter(cookie -> wanted.test(cookie.getName()))
                .forEach(this::keep);
    }

    /** @return the value of the cookie with this name, whatever its path is */
    public String value(String name) {
        return find(name).orElseThrow();
    }

    /** @return the value of the cookie with this name, whatever its path is; empty if there is none */
    public synchronized Optional<String> find(String name) {
        return values.entrySet().stream()
                .filter(cookie -> cookie.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    public synchronized void delete(String name) {
        values.keySet().removeIf(cookie -> cookie.name().equals(name));
    }

    /** Copies the cookies with this name from another browser. */
    public synchronized void copy(String name, Cookies other) {
        other.values.forEach((key, value) -> {
            if (key.name().equals(name)) {
                values.put(key, value);
            }
        });
    }

    private void keep(HttpCookie cookie) {
        Key key = new Key(Objects.requireNonNullElse(cookie.getPath(), "/"), cookie.getName());
        if (cookie.hasExpired()) {
            values.remove(key);
        } else {
            values.put(key, cookie.getValue());
        }
    }
}
