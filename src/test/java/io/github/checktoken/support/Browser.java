package io.github.checktoken.support;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As much of a browser as a sign-in page without JavaScript needs: cookies, redirects within the server, one form. */
public final class Browser {

    private static final Pattern FORM = Pattern.compile("<form[^>]*id=\"kc-form-login\"[^>]*action=\"([^\"]+)\"");

    private final URI server;
    private final Map<String, String> cookies = new LinkedHashMap<>();

    public Browser(KeycloakServer server) {
        this.server = server.baseUrl();
    }

    /** Follows redirects as long as they stay on the server. */
    public HttpResponse<String> get(String url) {
        return follow(Http.request(url));
    }

    /** @return what comes after the sign-in form was sent with these fields */
    public HttpResponse<String> submit(HttpResponse<String> page, Map<String, String> fields) {
        Matcher form = FORM.matcher(page.body());
        if (!form.find()) {
            throw new AssertionError("No sign-in form at " + page.uri() + ", status " + page.statusCode());
        }
        return follow(Http.form(form.group(1).replace("&amp;", "&"), fields));
    }

    private HttpResponse<String> follow(HttpRequest.Builder request) {
        HttpResponse<String> response = Http.send(withCookies(request));
        keepCookies(response);
        String location = response.headers().firstValue("Location").orElse(null);
        return location != null && location.startsWith(server.toString()) ? get(location) : response;
    }

    private HttpRequest.Builder withCookies(HttpRequest.Builder request) {
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        return request;
    }

    /** By name only: the tests' browser knows one server, and Secure cookies go over plain HTTP to the loopback. */
    private void keepCookies(HttpResponse<String> response) {
        for (String header : response.headers().allValues("Set-Cookie")) {
            String pair = header.split(";", 2)[0];
            int equals = pair.indexOf('=');
            if (header.contains("Max-Age=0")) {
                cookies.remove(pair.substring(0, equals));
            } else {
                cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
    }
}
