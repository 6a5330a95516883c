package io.github.checktoken.walk.browser;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Cookies;
import io.github.checktoken.support.client.Http;

/**
 * Keeps cookies and does nothing by itself, because whether a redirect is followed is a step of the walk. It does not
 * keep the sessions of the identity providers, so that each login there says who signs in.
 */
public final class WalkBrowser {

    private final String realmUrl;
    private final Cookies cookies = new Cookies();

    /** @param realmUrl the realm whose session is kept */
    public WalkBrowser(String realmUrl) {
        this.realmUrl = realmUrl;
    }

    public HttpResponse<String> get(String url) {
        return send(Http.request(url));
    }

    public HttpResponse<String> post(String url, Map<String, String> fields) {
        return send(Http.form(url, fields));
    }

    /** Anybody at the browser can do this. */
    void deleteCookie(String name) {
        cookies.delete(name);
    }

    String cookie(String name) {
        return cookies.value(name);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        HttpResponse<String> response = Http.send(cookies.addTo(request));
        boolean ofTheRealm = response.uri().toString().startsWith(realmUrl + "/");
        cookies.keep(response, name -> ofTheRealm || !isSession(name));
        return response;
    }

    private static boolean isSession(String name) {
        return name.startsWith("KEYCLOAK_IDENTITY") || name.startsWith("KEYCLOAK_SESSION");
    }
}
