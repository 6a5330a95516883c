package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_OR_OTP_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that single sign-on is not enough to choose a first PIN, or to remove one that another browser has proved: the
 * person is asked again.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinSessionIT {

    private static final String ACTION = "&kc_action=configure-pin";
    private static final String AGAIN = "Please re-authenticate to continue";
    private static final String CHOOSE = "Choose a PIN";

    private final PinRealm realm;

    PinSessionIT(PinRealm realm) {
        this.realm = realm;
        realm.admin().update("", settings -> settings.put("otpPolicyCodeReusable", true));
    }

    @Test
    void personInAFreshSessionIsAskedAgainAndThenChooses() {
        String person = realm.newPerson();
        Browser browser = signedInWithThePassword(person);

        HttpResponse<String> page = realm.request(browser, PIN_NOT_ASKED_FLOW, ACTION);
        assertShows(AGAIN, page);
        HttpResponse<String> form = givePasswordAgain(browser, page);
        assertShows(CHOOSE, form);
        assertChosen(realm.choose(browser, form, PIN, PIN), person);
    }

    @Test
    void personWhomAnAdministratorRequiresToChooseOneIsAskedAgain() {
        String person = realm.newPerson();
        Browser browser = signedInWithThePassword(person);
        realm.admin()
                .update(
                        realm.admin().user(person),
                        user -> user.putArray("requiredActions").add("configure-pin"));

        HttpResponse<String> page = realm.request(browser, PIN_NOT_ASKED_FLOW, "");
        assertShows(AGAIN, page);
        HttpResponse<String> form = givePasswordAgain(browser, page);
        assertShows(CHOOSE, form);
        realm.client(PIN_NOT_ASKED_FLOW).redeem(realm.choose(browser, form, PIN, PIN));
        assertEquals(1, realm.pins(person).size());
    }

    @Test
    void personWhoHasAnotherFactorIsAskedForItAgain() {
        String person = realm.newPersonWithOtp();
        Browser browser = signedInWithOtp(realm.browser(), person);

        HttpResponse<String> page = realm.request(browser, PIN_OR_OTP_FLOW, ACTION);
        assertShows(AGAIN, page);
        HttpResponse<String> otp = givePasswordAgain(browser, page);
        assertChosen(realm.choose(browser, browser.submit(otp, Map.of("otp", Totp.code())), PIN, PIN), person);
    }

    private Browser signedInWithThePassword(String person) {
        Browser browser = realm.browser();
        realm.client(PIN_NOT_ASKED_FLOW).redeem(realm.givePassword(browser, PIN_NOT_ASKED_FLOW, person));
        return browser;
    }

    private Browser signedInWithOtp(Browser browser, String person) {
        HttpResponse<String> form = realm.givePassword(browser, PIN_OR_OTP_FLOW, person);
        realm.client(PIN_OR_OTP_FLOW).redeem(browser.submit(form, Map.of("otp", Totp.code())));
        return browser;
    }

    /** The page knows the person. */
    private static HttpResponse<String> givePasswordAgain(Browser browser, HttpResponse<String> page) {
        return browser.submit(page, Map.of("password", "demo-password"));
    }

    private void assertChosen(HttpResponse<String> answer, String person) {
        String location = answer.headers().firstValue("Location").orElseThrow(() -> new AssertionError(answer.body()));
        assertTrue(location.contains("kc_action_status=success"), location);
        assertEquals(1, realm.pins(person).size());
    }
}
