package io.github.checktoken.chaos;

import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.MailServer;

/** One login, with everything that the person has to enter. */
final class LoginAttempt {

    private final Federation federation;
    private final ServiceProvider town;
    private final MailServer mail;
    private final Person person;

    /** The last response; null before the first one, and while a request has no response. */
    private HttpResponse<String> last;

    LoginAttempt(Federation federation, MailServer mail, Person person) {
        this.federation = federation;
        this.town = federation.town();
        this.mail = mail;
        this.person = person;
    }

    /** The other callers sign in the same people, and a mail does not say whose login it belongs to. */
    Tokens run() {
        synchronized (person) {
            Browser browser = new Browser(federation.server());
            last = browser.get(town.request()
                    .with("scope", Federation.ALL_SCOPES)
                    .askingForAmr()
                    .url());
            submit(browser, Map.of("username", person.name(), "password", "demo-password"));
            if (person.address() != null) {
                String code = mail.newestCode(person.address()).orElseThrow();
                mail.forget(person.address());
                submit(browser, Map.of("code", code));
            } else if (person.pin() != null) {
                submit(browser, Map.of("pin", person.pin()));
            }
            return redeem();
        }
    }

    private void submit(Browser browser, Map<String, String> fields) {
        String action = Browser.action(last);
        last = null;
        last = browser.post(action, fields);
    }

    private Tokens redeem() {
        String code = ServiceProvider.code(last);
        String redirect = location(last).replaceFirst("\\?.*", "");
        last = null;
        last = town.post(
                "/protocol/openid-connect/token",
                Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", redirect));
        return Tokens.of(Http.json(last));
    }

    /** @return what Keycloak has told last, if that is documented; null if it is not, or if there was no response */
    String end() {
        return last == null ? null : documented(last);
    }

    /** @return a page, a redirect with an error, or an error as JSON, without anything of the server's internals */
    static String documented(HttpResponse<String> response) {
        String body = response.body();
        if (isInternal(body)) {
            return null;
        }
        if (location(response).contains("error=")) {
            return "redirect " + location(response).replaceFirst(".*[?&]error=([^&]*).*", "$1");
        }
        if (body.contains("kc-page-title")) {
            return "page " + response.statusCode();
        }
        JsonNode error = body.startsWith("{") ? Http.json(body).path("error") : null;
        return error != null && error.isTextual() ? response.statusCode() + " " + error.asText() : null;
    }

    private static boolean isInternal(String body) {
        return body.contains("\tat ") || body.contains("Exception") || body.contains("org.keycloak");
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse("");
    }
}
