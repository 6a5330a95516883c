package io.github.checktoken.support.browser;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.KeycloakServer;

/** A browser that can do what a login page without JavaScript needs: cookies, redirects within the server, one form. */
public final class Browser {

    private static final Pattern SESSION_CODE = Pattern.compile("session_code=[^&]+");

    private final URI server;
    private final UnaryOperator<String> route;
    private final Cookies cookies = new Cookies();

    public Browser(KeycloakServer server) {
        this(server, UnaryOperator.identity());
    }

    /** @param route gives the address to which a request is really sent, as a load balancer chooses a node */
    public Browser(KeycloakServer server, UnaryOperator<String> route) {
        this.server = server.baseUrl();
        this.route = route;
    }

    /** Follows redirects as long as they stay on the server. */
    public HttpResponse<String> get(String url) {
        return follow(Http.request(route.apply(url)));
    }

    /** @return the response to the first link that matches the CSS selector */
    public HttpResponse<String> follow(HttpResponse<String> page, String selector) {
        return get(HtmlPage.of(page).link(selector));
    }

    /** @return the response to the link to this identity provider */
    public HttpResponse<String> chooseProvider(HttpResponse<String> page, String alias) {
        return get(providerLink(page, alias));
    }

    /**
     * Follows the link at a later step of the login.
     *
     * @param page the page that had the link
     * @param now the page of the later step, whose form has the session code that is valid now
     */
    public HttpResponse<String> chooseProvider(HttpResponse<String> page, String alias, HttpResponse<String> now) {
        Matcher code = SESSION_CODE.matcher(action(now));
        if (!code.find()) {
            throw new AssertionError("No session code at " + now.uri());
        }
        return get(SESSION_CODE.matcher(providerLink(page, alias)).replaceFirst(code.group()));
    }

    private static String providerLink(HttpResponse<String> page, String alias) {
        return HtmlPage.of(page).link("[href*=/broker/" + alias + "/login]");
    }

    /** @return the response to the first form of the page, submitted with these fields */
    public HttpResponse<String> submit(HttpResponse<String> page, Map<String, String> fields) {
        return post(action(page), fields);
    }

    /**
     * Signs in at a page that asks for a name and a password, with the password that everybody has in the demo realms.
     */
    public HttpResponse<String> givePassword(HttpResponse<String> page, String username) {
        return submit(page, Map.of("username", username, "password", "demo-password"));
    }

    /** @return the address to which the first form of the page is submitted */
    public static String action(HttpResponse<String> page) {
        return HtmlPage.of(page).action();
    }

    /** Submits a form, which may be from an earlier page. */
    public HttpResponse<String> post(String action, Map<String, String> fields) {
        return follow(Http.form(route.apply(action), fields));
    }

    /** Without the header, Keycloak answers some failures with JSON instead of a page. */
    private HttpResponse<String> follow(HttpRequest.Builder request) {
        HttpResponse<String> response = Http.send(cookies.addTo(request.header("Accept", "text/html,*/*;q=0.8")));
        keepCookies(response);
        String location = response.headers().firstValue("Location").orElse(null);
        return location != null && location.startsWith(server.toString()) ? get(location) : response;
    }

    /** @param name a cookie that the other browser has, and that this one has then, too */
    public void copyCookie(String name, Browser other) {
        cookies.copy(name, other.cookies);
    }

    /** Keeps the cookies of a response that this browser did not request itself, like one that a page's script got. */
    public void keepCookies(HttpResponse<String> response) {
        cookies.keep(response, name -> true);
    }
}
