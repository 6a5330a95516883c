package io.github.checktoken.pin;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_USERNAME_FIRST_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * Tests that a PIN counts only for the person whose PIN it is. While the server still checks the PIN of one person, the
 * login starts anew in the same tab, and another person is named.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplacedLoginIT {

    private static final String REPLACED = "This sign-in was replaced by another one";

    private final PinRealm realm;
    private Browser browser;
    private String first;
    private String second;

    ReplacedLoginIT(PinRealm realm) {
        this.realm = realm;
    }

    @BeforeEach
    void newPeople() {
        browser = realm.browser();
        first = realm.newPersonWithSlowPin();
        second = realm.newPersonWithPin();
    }

    @Test
    void pinOfOnePersonDoesNotCountForTheNext() throws InterruptedException {
        HttpResponse<String> page = realm.givePassword(browser, PIN_FLOW, first);
        int before = logins(second);
        CompletableFuture<HttpResponse<String>> pinOfFirst = whileChecked(() -> realm.give(browser, page, PIN));
        HttpResponse<String> pageOfSecond = browser.givePassword(restart(page), second);

        assertEnded(pinOfFirst.join(), "LOGIN_ERROR");
        assertEquals(before, logins(second));
        Tokens tokens = realm.client(PIN_FLOW).redeem(realm.give(browser, pageOfSecond, PIN));
        assertEquals(
                second,
                Tokens.claims(tokens.idToken()).get("preferred_username").asText());
    }

    @Test
    void changedPinOfOnePersonSignsNobodyElseIn() throws InterruptedException {
        HttpResponse<String> username = realm.request(browser, PIN_USERNAME_FIRST_FLOW, "&kc_action=configure-pin");
        HttpResponse<String> password = browser.submit(username, Map.of("username", first));
        HttpResponse<String> page = browser.submit(password, Map.of("password", "demo-password"));
        int before = logins(second);
        CompletableFuture<HttpResponse<String>> change = whileChecked(() -> realm.change(browser, page, PIN, "864209"));
        HttpResponse<String> pageOfSecond = browser.submit(restart(page), Map.of("username", second));
        assertHas("#password", pageOfSecond);

        assertEnded(change.join(), "UPDATE_CREDENTIAL_ERROR");
        assertEquals(before, logins(second));
    }

    /** Starts a request and waits until the server checks the PIN. */
    private static CompletableFuture<HttpResponse<String>> whileChecked(Supplier<HttpResponse<String>> request)
            throws InterruptedException {
        CompletableFuture<HttpResponse<String>> response = CompletableFuture.supplyAsync(request);
        Thread.sleep(500);
        assertFalse(response.isDone(), "the PIN must take longer to check");
        return response;
    }

    /** Either the request was complete before the login started anew, or it has ended with a page that says so. */
    private void assertEnded(HttpResponse<String> response, String event) {
        if (response.statusCode() != 302) {
            assertShows(REPLACED, response);
            assertEquals(400, response.statusCode());
            assertEquals(List.of("expired_code"), realm.errors(event, first));
        }
    }

    private int logins(String person) {
        String id = realm.admin().user(person).substring("/users/".length());
        return realm.admin().get("/events?type=LOGIN&user=" + id).size();
    }

    private HttpResponse<String> restart(HttpResponse<String> page) {
        return browser.get(Browser.action(page)
                .replaceFirst("/login-actions/[^?]+", "/login-actions/restart")
                .replaceFirst("session_code=[^&]+&", ""));
    }
}
