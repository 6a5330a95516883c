package io.github.checktoken.login.gate;

import java.net.http.HttpResponse;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A login joins a session only in the browser that holds it. Somebody who knows the person's password, and the id of the
 * person's session, gets a session of their own.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherBrowserIT {

    private static final String SESSION = "AUTH_SESSION_ID";

    private final KeycloakServer server;
    private final FreshRealm realm;
    private final ServiceProvider serviceProvider;
    private Browser browser;
    private Browser other;
    private String person;

    OtherBrowserIT(KeycloakServer server) {
        this.server = server;
        realm = new FreshRealm(server);
        serviceProvider = realm.serviceProvider();
    }

    @BeforeEach
    void openBrowsers() {
        browser = realm.browser();
        other = realm.browser();
        person = realm.newPerson();
    }

    @Test
    void idThatWasNotedBeforeTheLoginJoinsNoSession() {
        HttpResponse<String> page = browser.get(realm.request());
        browser.get(realm.request());
        other.copyCookie(SESSION, browser);

        assertOtherSessions(signIn(browser, page), signIn(other, other.get(realm.request())));
    }

    @Test
    void pageThatWasOpenedBeforeTheLoginJoinsNoSession() {
        HttpResponse<String> page = browser.get(realm.request());
        other.copyCookie(SESSION, browser);
        HttpResponse<String> pageOfOther = other.get(realm.request());
        Tokens tokens = signIn(browser, page);
        HttpResponse<String> begunAnew = other.givePassword(pageOfOther, person);

        assertTrue(begunAnew.body().contains("Action expired"), begunAnew.body());
        assertOtherSessions(tokens, signIn(other, begunAnew));
    }

    @Test
    void logoutAtAClientThatIsGoneGivesNobodyTheSession() {
        Tokens tokens = signIn(browser, browser.get(realm.request()));
        realm.admin().delete(realm.admin().client(FreshRealm.CLIENT));
        other.get(server.realmUrl(realm.name()) + "/protocol/openid-connect/logout?id_token_hint=" + tokens.idToken());
        FreshRealm.createClient(realm.admin());

        assertOtherSessions(tokens, signIn(other, other.get(realm.request())));
    }

    /** Nor does it restart it: the link on the page of a login ends the session that has its id. */
    @Test
    void restartFromAnotherBrowserEndsNoSession() {
        HttpResponse<String> page = browser.get(realm.request());
        browser.get(realm.request());
        other.copyCookie(SESSION, browser);
        HttpResponse<String> pageOfOther = other.get(realm.request());
        Tokens tokens = signIn(browser, page);
        other.get(Browser.action(pageOfOther).replace("/authenticate?", "/restart?"));

        assertEquals(sessionId(tokens), sessionId(serviceProvider.refresh(tokens)));
    }

    /** Both tabs send the cookie of the session. */
    @Test
    void secondTabOfTheSameBrowserIsInTheSameSession() {
        HttpResponse<String> page = browser.get(realm.request());
        HttpResponse<String> secondPage = browser.get(realm.request());
        Tokens tokens = signIn(browser, page);

        assertEquals(sessionId(tokens), sessionId(signIn(browser, secondPage)));
        assertEquals(sessionId(tokens), sessionId(serviceProvider.redeem(browser.get(realm.request()))));
    }

    /** The application revokes its token while the person is at the password in an older tab. */
    @Test
    void olderTabGoesOnAfterTheSessionHasEnded() {
        HttpResponse<String> olderPage = browser.get(realm.request());
        Tokens tokens = signIn(browser, browser.get(realm.request()));
        serviceProvider.revoke(tokens.refreshToken());
        browser.get(realm.request());
        HttpResponse<String> begunAnew = browser.givePassword(olderPage, person);

        assertTrue(begunAnew.body().contains("Action expired"), begunAnew.body());
        assertOtherSessions(tokens, signIn(browser, begunAnew));
    }

    private Tokens signIn(Browser who, HttpResponse<String> page) {
        return serviceProvider.redeem(page.statusCode() == 302 ? page : who.givePassword(page, person));
    }

    private static String sessionId(Tokens tokens) {
        return tokens.accessClaims().get("sid").asText();
    }

    private static void assertOtherSessions(Tokens one, Tokens two) {
        assertNotEquals(sessionId(one), sessionId(two));
    }
}
