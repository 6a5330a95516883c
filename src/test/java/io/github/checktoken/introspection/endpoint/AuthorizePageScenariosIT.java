package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Which requests FranceConnect and ProConnect accept and refuse in the tests of their authorization endpoint, and what
 * the person sees, at the same address here. Keycloak answers: it requires fewer parameters than they do, and knows more
 * values. What the service provider gets is in {@link AuthorizeRedirectScenariosIT}.
 */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class AuthorizePageScenariosIT {

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;

    AuthorizePageScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prompt=login",
                "prompt=consent",
                "prompt=login consent",
                "prompt=consent login",
                "prompt=select_account",
                "prompt=",
                "nonce",
                "nonce=",
                "nonce=too-short",
                "state",
                "state=",
                "acr_values",
                "acr_values=",
                "acr_values=unknown",
                "scope",
                "scope=email",
                "scope=email & redirect_uri",
                "response_mode=fragment",
                "code_challenge=0123456789012345678901234567890123456789012"
            })
    void requestIsAnsweredWithTheLogin(String changes) {
        HttpResponse<String> page = browser.get(request(changes).url());

        assertPage(200, page);
        assertHas("#kc-form-login", page);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client_id | Invalid Request |",
                "client_id= | Client not found. |",
                "client_id=unknown | Client not found. |",
                "redirect_uri | Invalid parameter: redirect_uri | http://localhost:8999/",
                "redirect_uri= | Invalid parameter: redirect_uri | http://localhost:8999/",
                "redirect_uri=https://malicious.example.org/callback | Invalid parameter: redirect_uri"
                        + " | http://localhost:8999/",
                "redirect_uri=http://localhost/sp-town/callback | Invalid parameter: redirect_uri"
                        + " | http://localhost:8999/",
                "redirect_uri=malicious.example.org | Invalid parameter: redirect_uri | http://localhost:8999/",
                "scope=email & redirect_uri=http://localhost:8999/sp-town/callback/malicious"
                        + " | Invalid parameter: redirect_uri | http://localhost:8999/",
                "prompt=create | Registration not allowed | http://localhost:8999/",
                "claims={\"id_token\":{\"acr\":{\"essential\":true,\"value\":\"unknown\"}}}"
                        + " | Invalid parameter: claims | http://localhost:8999/"
            })
    void requestIsAnsweredWithAnErrorPage(String changes, String text, String wayBack) {
        HttpResponse<String> page = browser.get(request(changes).url());

        assertErrorPage(text, page);
        assertFalse(page.body().contains("malicious"), page::body);
        assertEquals(wayBack != null, HtmlPage.of(page).has("#backToApplication"), page::body);
        if (wayBack != null) {
            assertEquals(wayBack, HtmlPage.of(page).link("#backToApplication"));
        }
    }

    @Test
    void clientThatIsSwitchedOffIsAnsweredWithAnErrorPage() {
        AdminApi admin = federation.admin();
        String bank = admin.client("sp-bank");
        admin.update(bank, client -> client.put("enabled", false));
        try {
            assertErrorPage(
                    "Client disabled.",
                    browser.get(
                            federation.bank().request().at("/api/v2/authorize").url()));
        } finally {
            admin.update(bank, client -> client.put("enabled", true));
        }
    }

    @Test
    void pagesAreInTheLanguageThatIsAskedFor() {
        HttpResponse<String> error = Http.send(
                Http.request(town.request().without("redirect_uri").url()).header("Accept-Language", "fr-FR,en;q=0.5"));

        assertHas("html[lang=fr]", browser.get(request("ui_locales=fr-FR").url()));
        assertHas("html[lang=fr]", error);
        assertShows("Nous sommes désolés", error);
    }

    /** As after all cookies have been deleted. */
    @Test
    void formThatAnotherBrowserSendsIsAnsweredWithAnErrorPage() {
        HttpResponse<String> page = browser.get(request("prompt").url());

        assertErrorPage(
                "your browser no longer has its cookie",
                new Browser(federation.server()).givePassword(page, "camille"));
    }

    @Test
    void cookieOfASessionThatIsGoneDoesNoHarm() {
        HttpResponse<String> page =
                Http.send(Http.request(town.request().url()).header("Cookie", "AUTH_SESSION_ID=unknown"));

        assertPage(200, page);
        assertHas("#kc-form-login", page);
    }

    private AuthorizationRequest request(String changes) {
        AuthorizationRequest request = town.request().at("/api/v2/authorize");
        ParameterChange.apply(changes, request.parameters());
        return request;
    }

    private static void assertErrorPage(String text, HttpResponse<String> page) {
        assertPage(400, page);
        assertShows(text, page);
    }

    private static void assertPage(int status, HttpResponse<String> page) {
        assertEquals(status, page.statusCode(), page::body);
        assertTrue(page.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
        assertTrue(page.headers().firstValue("Location").isEmpty());
    }
}
