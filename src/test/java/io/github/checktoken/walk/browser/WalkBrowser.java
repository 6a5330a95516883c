package io.github.checktoken.walk.browser;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.checktoken.support.client.Http;

/**
 * Cookies, and nothing that happens by itself: whether a redirect is followed is a step of the walk. The identity
 * providers' sessions are not kept, so that each login there says who signs in.
 */
public final class WalkBrowser {

    private static final Pattern PATH = Pattern.compile(";\\s*Path=([^;]+)", Pattern.CASE_INSENSITIVE);

    private final String realmUrl;
    private final Map<CookieKey, String> cookies = new LinkedHashMap<>();

    private record CookieKey(String path, String name) {}

    /** @param realmUrl whose session is kept */
    public WalkBrowser(String realmUrl) {
        this.realmUrl = realmUrl;
    }

    public HttpResponse<String> get(String url) {
        return send(Http.request(url));
    }

    public HttpResponse<String> post(String url, Map<String, String> fields) {
        return send(Http.form(url, fields));
    }

    /** As anybody at the browser can. */
    void deleteCookie(String name) {
        cookies.keySet().removeIf(cookie -> cookie.name().equals(name));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        HttpResponse<String> response = Http.send(withCookies(request));
        keepCookies(response);
        return response;
    }

    private HttpRequest.Builder withCookies(HttpRequest.Builder request) {
        String path = request.copy().build().uri().getPath();
        String sent = cookies.entrySet().stream()
                .filter(cookie -> path.startsWith(cookie.getKey().path()))
                .map(cookie -> cookie.getKey().name() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        return sent.isEmpty() ? request : request.header("Cookie", sent);
    }

    private void keepCookies(HttpResponse<String> response) {
        boolean ofTheRealm = response.uri().toString().startsWith(realmUrl + "/");
        for (String header : response.headers().allValues("Set-Cookie")) {
            String pair = header.split(";", 2)[0];
            int equals = pair.indexOf('=');
            String name = pair.substring(0, equals);
            if (!ofTheRealm && (name.startsWith("KEYCLOAK_IDENTITY") || name.startsWith("KEYCLOAK_SESSION"))) {
                continue;
            }
            Matcher path = PATH.matcher(header);
            CookieKey key = new CookieKey(path.find() ? path.group(1) : "/", name);
            if (header.contains("Max-Age=0")) {
                cookies.remove(key);
            } else {
                cookies.put(key, pair.substring(equals + 1));
            }
        }
    }
}
