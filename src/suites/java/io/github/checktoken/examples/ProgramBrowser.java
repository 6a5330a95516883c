package io.github.checktoken.examples;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.server.KeycloakServer;

/** A person's browser, which goes where the answers of a program and of the server lead. */
final class ProgramBrowser {

    /** What mod_auth_openidc sends instead of a redirect. */
    private static final Pattern REFRESH = Pattern.compile("http-equiv=\"refresh\" content=\"0; url=([^\"]+)\"");

    private final Browser browser;

    ProgramBrowser(KeycloakServer server) {
        this(server, UnaryOperator.identity());
    }

    /** @param change what the person does to each address before the browser opens it */
    ProgramBrowser(KeycloakServer server, UnaryOperator<String> change) {
        this.browser = new Browser(server, change);
    }

    /** @return the page at the end of the redirects, usually the login page */
    HttpResponse<String> open(Map<String, String> settings) {
        URI start = URI.create(settings.get("REDIRECT_URI")).resolve("/");
        return follow(browser.get(start.toString()));
    }

    HttpResponse<String> givePassword(HttpResponse<String> page, String username) {
        return follow(browser.givePassword(page, username));
    }

    HttpResponse<String> submit(HttpResponse<String> page, Map<String, String> fields) {
        return follow(browser.submit(page, fields));
    }

    private HttpResponse<String> follow(HttpResponse<String> response) {
        HttpResponse<String> last = response;
        for (Optional<String> next = next(last); next.isPresent(); next = next(last)) {
            last = browser.get(last.uri().resolve(next.get()).toString());
        }
        return last;
    }

    private static Optional<String> next(HttpResponse<String> response) {
        return response.headers()
                .firstValue("Location")
                .or(() -> REFRESH.matcher(response.body())
                        .results()
                        .map(refresh -> refresh.group(1))
                        .findFirst());
    }
}
