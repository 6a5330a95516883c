package io.github.checktoken.stores;

import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** Signs in at a service provider that asks for {@code amr}, with a new browser each time. */
final class DirectoryPerson {

    private final Federation federation;
    private final ServiceProvider town;
    private final String name;
    private Browser browser;

    DirectoryPerson(Federation federation, String name) {
        this.federation = federation;
        this.town = federation.town();
        this.name = name;
    }

    /** @return the response to the password of the directory */
    HttpResponse<String> givePassword() {
        return givePassword(request());
    }

    private HttpResponse<String> givePassword(AuthorizationRequest request) {
        browser = new Browser(federation.server());
        return town.open(browser, name, request);
    }

    private AuthorizationRequest request() {
        return town.request().with("scope", Federation.ALL_SCOPES).askingForAmr();
    }

    HttpResponse<String> submit(HttpResponse<String> page, String field, String value) {
        return browser.submit(page, Map.of(field, value));
    }

    /** @return the response to the password and the PIN */
    HttpResponse<String> givePin(String pin) {
        HttpResponse<String> page = givePassword();
        assertShows("Enter your PIN", page);
        return submit(page, "pin", pin);
    }

    Tokens signIn() {
        return town.redeem(givePassword());
    }

    Tokens signInWithPin(String pin) {
        return town.redeem(givePin(pin));
    }

    Tokens redeem(HttpResponse<String> redirect) {
        return town.redeem(redirect);
    }

    /** Begins to choose a PIN in a new login. */
    Tokens choosePin(String pin) {
        HttpResponse<String> page = givePassword(request().with("kc_action", "configure-pin"));
        assertShows("Choose a PIN", page);
        return town.redeem(browser.submit(page, Map.of("pin-new", pin, "pin-confirm", pin)));
    }

    /** Chooses another PIN in the last login. */
    void changePin(String current, String pin) {
        HttpResponse<String> page =
                browser.get(request().with("kc_action", "configure-pin").url());
        town.redeem(browser.submit(page, Map.of("pin-current", current, "pin-new", pin, "pin-confirm", pin)));
    }

    /** @return what the person is for the data provider */
    static String subject(DataProviderClient dataProvider, Tokens tokens) {
        Map<String, Object> answer = dataProvider.check(tokens.accessToken()).introspection();
        assertEquals(true, answer.get("active"));
        assertNotNull(answer.get("sub"));
        return (String) answer.get("sub");
    }
}
