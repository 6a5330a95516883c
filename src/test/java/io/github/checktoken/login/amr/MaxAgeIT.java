package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;

import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;

import static io.github.checktoken.support.realm.LevelRealm.NO_COOKIE;
import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that {@code amr} and {@code acr} leave out what is older than the {@code max_age} of the request. */
class MaxAgeIT extends AbstractLevelIT {

    private static final String MAX_AGE = "max_age";

    MaxAgeIT(KeycloakServer server) {
        super(server);
    }

    @Test
    void youngMethodsCount() {
        signIn(STEPS, realm.requestHigh(STEPS));
        assertTold("high", "pwd pin", signIn(STEPS, realm.request(STEPS).with(MAX_AGE, "60")));
    }

    @Test
    void pageThatWasOpenedBeforeTheOlderLoginDoesNotTellIt() {
        HttpResponse<String> page =
                browser.get(realm.request(STEPS).with(MAX_AGE, "2").url());
        signIn(STEPS, realm.requestHigh(STEPS));
        pause();
        assertTold("low", "pwd", enter(STEPS, page));
    }

    @Test
    void flowThatDoesNotLookForASessionTellsNoOldMethod() {
        signIn(STEPS, realm.requestHigh(STEPS));
        pause();
        assertTold("low", "pwd", signIn(NO_COOKIE, realm.request(NO_COOKIE).with(MAX_AGE, "2")));
        assertTold("low", "pwd pin", signIn(NO_COOKIE, realm.request(NO_COOKIE)));
    }

    @Test
    void passwordThatRenewsTheSessionDoesNotRenewThePin() {
        signIn(STEPS, realm.requestHigh(STEPS));
        pause();
        signIn(NO_COOKIE, realm.request(NO_COOKIE));
        Tokens limited = redeem(
                STEPS, browser.get(realm.request(STEPS).with(MAX_AGE, "2").url()));
        assertTold("low", "pwd", limited);
        assertTold("low", "pwd", realm.client(STEPS).refresh(limited));
    }

    /** The step-up renews the session's age with the PIN alone. */
    @Test
    void oldLevelBelowAYoungOneDoesNotCount() {
        signIn(STEPS, realm.request(STEPS));
        pause();
        signIn(STEPS, realm.requestHigh(STEPS));
        Tokens limited = redeem(
                STEPS, browser.get(realm.request(STEPS).with(MAX_AGE, "2").url()));
        assertTold("0", "pin", limited);
        assertTold("high", "pwd pin", signIn(STEPS, realm.request(STEPS)));
    }

    @Test
    void maxAgeOfZeroTellsOnlyThisLogin() {
        HttpResponse<String> page =
                browser.get(realm.request(STEPS).with(MAX_AGE, "0").url());
        signIn(STEPS, realm.requestHigh(STEPS));
        assertTold("low", "pwd", enter(STEPS, page));
        pause();
        HttpResponse<String> again =
                browser.get(realm.requestHigh(STEPS).with(MAX_AGE, "0").url());
        assertTrue(LevelRealm.asksFor(again, "password"));
        assertTold("high", "pwd pin", enter(STEPS, again));
    }

    /** Somebody who takes a long time over the second page has still proved both in this login. */
    @Test
    void slowLoginTellsAllThatItProved() {
        HttpResponse<String> page =
                browser.get(realm.requestHigh(STEPS).with(MAX_AGE, "2").url());
        HttpResponse<String> second = browser.givePassword(page, person);
        pause();
        assertTold("high", "pwd pin", enter(STEPS, second));
    }

    private static void pause() {
        // Older than the max age of two seconds.
        Waiting.untilAllIsOlderThan(2);
    }

    private static void assertTold(String acr, String amr, Tokens tokens) {
        assertEquals(amr, tokens.amr());
        assertEquals(acr, tokens.acr());
    }

    private Tokens enter(String clientId, HttpResponse<String> page) {
        return redeem(clientId, realm.enter(browser, person, page));
    }

    private Tokens redeem(String clientId, HttpResponse<String> redirect) {
        return realm.client(clientId).redeem(redirect);
    }
}
