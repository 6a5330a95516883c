package io.github.checktoken.guest.realm;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Cookies;
import io.github.checktoken.support.client.Http;

/** The cookies that all tabs and frames of a browser share. They may send requests at the same time. */
public final class TabBrowser {

    private final URI server;
    private final Cookies cookies = new Cookies();

    TabBrowser(URI server) {
        this.server = server;
    }

    /** Follows redirects as long as they stay on the server. */
    public HttpResponse<String> get(String url) {
        return follow(send(Http.request(url)));
    }

    public HttpResponse<String> post(String url, Map<String, String> fields) {
        return follow(postOnly(url, fields));
    }

    /** Does not follow a redirect. */
    public HttpResponse<String> postOnly(String url, Map<String, String> fields) {
        return send(Http.form(url, fields));
    }

    /** Without the header, Keycloak answers some failures with JSON instead of a page. */
    private HttpResponse<String> send(HttpRequest.Builder request) {
        HttpResponse<String> response = Http.send(cookies.addTo(request.header("Accept", "text/html,*/*;q=0.8")));
        cookies.keep(response, name -> true);
        return response;
    }

    private HttpResponse<String> follow(HttpResponse<String> response) {
        String location = location(response);
        return location != null && location.startsWith(server.toString()) ? get(location) : response;
    }

    /** @return where a response redirects to; null if it does not */
    public static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse(null);
    }
}
