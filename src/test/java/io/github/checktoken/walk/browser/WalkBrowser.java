package io.github.checktoken.walk.browser;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Cookies;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;

/**
 * Keeps cookies and does nothing by itself, because whether a redirect is followed is a step of the walk. It does not
 * keep the sessions of the identity providers, so that each login there says who signs in.
 */
public final class WalkBrowser {

    private static final String IDENTITY = "KEYCLOAK_IDENTITY";

    private final String realmUrl;
    private final Cookies cookies = new Cookies();

    /** @param realmUrl the realm whose session is kept */
    public WalkBrowser(String realmUrl) {
        this.realmUrl = realmUrl;
    }

    public HttpResponse<String> get(String url) {
        return keep(Http.send(cookies.addTo(Http.request(url))));
    }

    public HttpResponse<String> post(String url, Map<String, String> fields) {
        return keep(Http.send(cookies.addTo(Http.form(url, fields))));
    }

    /** Sends a form and does not wait. The cookies of the response are not kept before {@link #keep} is called. */
    public CompletableFuture<HttpResponse<String>> postLater(String url, Map<String, String> fields) {
        HttpRequest.Builder request = cookies.addTo(Http.form(url, fields));
        return later(() -> Http.send(request));
    }

    /** Opens an address and does not wait. The cookies of the response are not kept before {@link #keep} is called. */
    public CompletableFuture<HttpResponse<String>> getLater(String url) {
        HttpRequest.Builder request = cookies.addTo(Http.request(url));
        return later(() -> Http.send(request));
    }

    /** Sends a request in a thread of its own: a pool of as many threads as processors would send a crowd one by one. */
    public static CompletableFuture<HttpResponse<String>> later(Supplier<HttpResponse<String>> request) {
        return CompletableFuture.supplyAsync(request, task -> new Thread(task, "walk-request").start());
    }

    /** @return the claims of the cookie that names the browser's session; null if it has none */
    public JsonNode identity() {
        return cookies.find(IDENTITY).map(Tokens::claims).orElse(null);
    }

    /** Keeps the cookies of a response, and returns it. */
    public HttpResponse<String> keep(HttpResponse<String> response) {
        boolean ofTheRealm = response.uri().toString().replace("/admin/", "/").startsWith(realmUrl + "/");
        cookies.keep(response, name -> ofTheRealm || !isSession(name));
        return response;
    }

    /** Anybody at the browser can do this. */
    void deleteCookie(String name) {
        cookies.delete(name);
    }

    public void copyCookie(String name, WalkBrowser other) {
        cookies.copy(name, other.cookies);
    }

    String cookie(String name) {
        return cookies.value(name);
    }

    private static boolean isSession(String name) {
        return name.startsWith(IDENTITY) || name.startsWith("KEYCLOAK_SESSION");
    }
}
