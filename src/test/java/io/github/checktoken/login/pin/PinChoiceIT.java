package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_REFERENCE_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_OR_OTP_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests who may choose a first PIN if no form asks for one. A password is not enough if there is another factor. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinChoiceIT {

    private static final String ACTION = "&kc_action=configure-pin";

    private final PinRealm realm;

    PinChoiceIT(PinRealm realm) {
        this.realm = realm;
    }

    @ParameterizedTest
    @ValueSource(strings = {PIN_NOT_ASKED_FLOW, PIN_NOT_ASKED_REFERENCE_FLOW})
    void notWithThePasswordAloneWhoHasAnotherFactor(String flow) {
        String person = realm.newPersonWithOtp();
        Browser browser = realm.browser();
        HttpResponse<String> page = givePassword(browser, flow, person);
        assertEquals(403, page.statusCode());
        assertShows("The password alone is not enough to choose a PIN", page);
        assertEquals(List.of(), realm.pins(person));
        assertEquals(List.of("not_allowed"), realm.errors("UPDATE_CREDENTIAL_ERROR", person));
    }

    @Test
    void afterTheOtherFactor() {
        String person = realm.newPersonWithOtp();
        Browser browser = realm.browser();
        HttpResponse<String> form = givePassword(browser, PIN_OR_OTP_FLOW, person);
        assertChosen(browser, browser.submit(form, Map.of("otp", Totp.code())), person);
    }

    @ParameterizedTest
    @ValueSource(strings = {PIN_NOT_ASKED_FLOW, PIN_NOT_ASKED_REFERENCE_FLOW})
    void withThePasswordWhoHasNothingElse(String flow) {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        assertChosen(browser, givePassword(browser, flow, person), person);
    }

    private HttpResponse<String> givePassword(Browser browser, String flow, String person) {
        HttpResponse<String> login = realm.request(browser, flow, ACTION);
        return browser.givePassword(login, person);
    }

    private void assertChosen(Browser browser, HttpResponse<String> page, String person) {
        HttpResponse<String> answer = realm.choose(browser, page, PIN, PIN);
        assertEquals(302, answer.statusCode(), answer::body);
        assertEquals(1, realm.pins(person).size());
    }
}
