package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What FranceConnect and ProConnect test when somebody signs out, and what Keycloak refuses, at the same address here. */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class LogoutScenariosIT {

    private static final String BACK = "http://localhost:8999/sp-town/";
    private static final String TO_BACK = "&post_logout_redirect_uri=" + Http.encode(BACK);

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;
    private final Tokens tokens;

    LogoutScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
        this.tokens = town.signIn(browser, "camille", "openid");
    }

    @ParameterizedTest
    @CsvSource({"'',", "&state=,", "&state=s%2B1%26, ?state=s%2B1%26", "&client_id=sp-town&state=1, ?state=1"})
    void personIsSignedOutAndGoesBackWithTheState(String state, String query) {
        assertGoesBack(query == null ? "" : query, logOut("id_token_hint=" + tokens.idToken() + TO_BACK + state));
        assertSignedOut();
    }

    @Test
    void personIsSignedOutAndSeesAPageIfThereIsNoAddressToGoBackTo() {
        HttpResponse<String> page = logOut("id_token_hint=" + tokens.idToken());

        assertPage(200, "You are logged out", page);
        assertSignedOut();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "client_id=sp-town", "client_id=sp-town&state=1", "client_id=unknown"})
    void personIsAskedIfNoIdTokenShowsWhoAsks(String query) {
        assertPage(200, "Do you want to log out?", logOut(query));
        assertTrue(federation.tax().check(tokens.accessToken()).active());
    }

    @Test
    void personWhoAgreesIsSignedOutAndGoesBackWithTheState() {
        HttpResponse<String> page = logOut("client_id=sp-town&state=1" + TO_BACK);
        assertPage(200, "Do you want to log out?", page);
        String code = HtmlPage.of(page).value("[name=session_code]");

        assertGoesBack("?state=1", browser.submit(page, Map.of("session_code", code, "confirmLogout", "Logout")));
        assertSignedOut();
    }

    @Test
    void personWhoIsSignedOutAlreadyGoesBack() {
        logOut("id_token_hint=" + tokens.idToken());

        assertGoesBack("?state=1", logOut("client_id=sp-town&state=1" + TO_BACK));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "state=1%2$s | Missing parameters: id_token_hint",
                "id_token_hint=a.b.c%2$s | Invalid parameter: id_token_hint",
                "id_token_hint=%1$s&client_id=sp-bank | Invalid parameter: id_token_hint",
                "id_token_hint=%1$s&post_logout_redirect_uri=https://malicious.example.org/ | Invalid redirect uri",
                "client_id=sp-bank%2$s | Invalid redirect uri"
            })
    void requestIsAnsweredWithAnErrorPageAndEndsNothing(String query, String text) {
        HttpResponse<String> page = logOut(query.formatted(tokens.idToken(), TO_BACK));

        assertPage(400, text, page);
        assertFalse(page.body().contains("malicious"), page::body);
        assertTrue(federation.tax().check(tokens.accessToken()).active());
    }

    private HttpResponse<String> logOut(String query) {
        return browser.get(federation.url() + "/api/v2/session/end?" + query);
    }

    private void assertSignedOut() {
        assertEquals(
                Map.of("active", false),
                federation.tax().check(tokens.accessToken()).introspection());
        assertTrue(browser.get(town.request().with("prompt", "none").url())
                .headers()
                .firstValue("Location")
                .orElse("")
                .contains("error=login_required"));
    }

    private static void assertGoesBack(String query, HttpResponse<String> redirect) {
        assertEquals(302, redirect.statusCode(), redirect::body);
        assertEquals(BACK + query, redirect.headers().firstValue("Location").orElse(null));
    }

    private static void assertPage(int status, String text, HttpResponse<String> page) {
        assertEquals(status, page.statusCode(), page::body);
        assertTrue(page.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
        assertShows(text, page);
    }
}
