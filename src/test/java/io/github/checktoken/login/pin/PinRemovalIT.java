package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.DIRECT_GRANT_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_NOT_ASKED_REFERENCE_FLOW;
import static io.github.checktoken.support.realm.PinRealm.PIN_OR_OTP_FLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests who may remove a PIN: a person who has recently entered it, and an administrator. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinRemovalIT {

    private static final String MAX_AGE = "/authentication/required-actions/delete_credential/config";

    private final PinRealm realm;
    private final AdminApi admin;

    PinRemovalIT(PinRealm realm) {
        this.realm = realm;
        this.admin = realm.admin();
    }

    @Test
    void accountApiListsItAndRemovesItAfterThePin() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> after = realm.give(browser, realm.givePassword(browser, PIN_FLOW, person), PIN);
        String token = realm.client(PIN_FLOW).redeem(after).accessToken();
        JsonNode listed = listed(token);
        assertEquals("two-factor", listed.get("category").asText());
        assertTrue(listed.get("removeable").asBoolean());
        JsonNode pin = listed.get("userCredentialMetadatas").get(0).get("credential");
        assertFalse(pin.hasNonNull("secretData"));
        assertEquals(204, delete(person, token).statusCode());
        assertEquals(List.of(), realm.pins(person));
        assertShows("Choose a PIN", realm.givePassword(realm.browser(), PIN_FLOW, person));
    }

    @Test
    void accountApiDoesNotAfterThePasswordAlone() {
        String person = realm.newPersonWithPin();
        HttpResponse<String> after = realm.givePassword(realm.browser(), PIN_NOT_ASKED_FLOW, person);
        String token = realm.client(PIN_NOT_ASKED_FLOW).redeem(after).accessToken();
        assertFalse(listed(token).get("removeable").asBoolean());
        assertEquals(400, delete(person, token).statusCode());
        assertEquals(1, realm.pins(person).size());
    }

    /** The administrator has named the password {@code pin}. */
    @Test
    void accountApiDoesNotAfterAPasswordThatIsCalledPin() {
        String execution = admin.execution(PIN_NOT_ASKED_REFERENCE_FLOW, "auth-username-password-form")
                .get("authenticationConfig")
                .asText();
        admin.update(
                "/authentication/config/" + execution,
                config -> config.putObject("config").put("default.reference.value", "pin"));
        String person = realm.newPersonWithPin();
        HttpResponse<String> after = realm.givePassword(realm.browser(), PIN_NOT_ASKED_REFERENCE_FLOW, person);
        String token = realm.client(PIN_NOT_ASKED_REFERENCE_FLOW).redeem(after).accessToken();
        assertFalse(listed(token).get("removeable").asBoolean());
        assertEquals(400, delete(person, token).statusCode());
    }

    @Test
    void accountApiDoesNotForATokenOfADirectGrantWithThePasswordAlone() {
        String person = realm.newPersonWithPin();
        admin.update("", settings -> settings.put("directGrantFlow", "direct grant"));
        try {
            String token = Http.json(realm.directGrant(person, Map.of()))
                    .get("access_token")
                    .asText();
            assertFalse(listed(token).get("removeable").asBoolean());
            assertEquals(400, delete(person, token).statusCode());
        } finally {
            admin.update("", settings -> settings.put("directGrantFlow", DIRECT_GRANT_FLOW));
        }
        assertEquals(1, realm.pins(person).size());
    }

    @Test
    void actionRemovesItAfterThePin() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.signedIn(person);
        assertRemoved(browser.submit(removalPage(browser, PIN_FLOW, person), Map.of("accept", "Yes")), person);
    }

    @Test
    void actionDoesNotAfterThePasswordAlone() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        realm.client(PIN_NOT_ASKED_FLOW).redeem(realm.givePassword(browser, PIN_NOT_ASKED_FLOW, person));
        HttpResponse<String> page = removalPage(browser, PIN_NOT_ASKED_FLOW, person);
        assertNotRemoved(browser.submit(page, Map.of("accept", "Yes")), person);
    }

    @Test
    void actionDoesNotWhereThePasswordAloneIsGivenForIt() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        String id = realm.pins(person).get(0).get("id").asText();
        HttpResponse<String> login = realm.request(browser, PIN_NOT_ASKED_FLOW, "&kc_action=delete_credential:" + id);
        HttpResponse<String> page = browser.givePassword(login, person);
        assertNotRemoved(browser.submit(page, Map.of("accept", "Yes")), person);
    }

    @Test
    void actionRemovesItWhereThePinIsGivenForIt() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        String id = realm.pins(person).get(0).get("id").asText();
        HttpResponse<String> login = realm.request(browser, PIN_FLOW, "&kc_action=delete_credential:" + id);
        HttpResponse<String> form = browser.givePassword(login, person);
        HttpResponse<String> page = realm.give(browser, form, PIN);
        assertRemoved(browser.submit(page, Map.of("accept", "Yes")), person);
    }

    @Test
    void actionDoesNotOnceThePinIsTooLongAgo() {
        String person = realm.newPersonWithPin();
        String other = realm.newPersonWithPin();
        Browser browser = realm.signedIn(person);
        HttpResponse<String> page = removalPage(browser, PIN_FLOW, person);
        Browser othersBrowser = realm.signedIn(other);
        HttpResponse<String> othersPage = removalPage(othersBrowser, PIN_FLOW, other);
        admin.put(MAX_AGE, Map.of("config", Map.of("max_auth_age", "1")));
        try {
            Waiting.untilAllIsOlderThan(1);
            assertNotRemoved(browser.submit(page, Map.of("accept", "Yes")), person);
            // Opening the form's address submits the form, because Keycloak only looks at the session code in it.
            assertNotRemoved(othersBrowser.get(Browser.action(othersPage)), other);
        } finally {
            admin.put(MAX_AGE, Map.of("config", Map.of()));
        }
    }

    /** Somebody who has only the password may be able to add another factor. */
    @Test
    void actionDoesNotAfterTwoOtherKindsOfFactors() {
        String person = realm.newPersonWithPinAndOtp();
        Browser browser = realm.browser();
        HttpResponse<String> form = realm.givePassword(browser, PIN_OR_OTP_FLOW, person);
        realm.client(PIN_OR_OTP_FLOW).redeem(browser.submit(form, Map.of("otp", Totp.code())));
        HttpResponse<String> page = removalPage(browser, PIN_OR_OTP_FLOW, person);
        assertNotRemoved(browser.submit(page, Map.of("accept", "Yes")), person);
    }

    @Test
    void administratorRemovesIt() {
        String person = realm.newPersonWithPin();
        String id = realm.pins(person).get(0).get("id").asText();
        admin.delete(admin.user(person) + "/credentials/" + id);
        assertEquals(List.of(), realm.pins(person));
    }

    private HttpResponse<String> removalPage(Browser browser, String flow, String person) {
        String id = realm.pins(person).get(0).get("id").asText();
        HttpResponse<String> page = realm.request(browser, flow, "&kc_action=delete_credential:" + id);
        assertShows("Do you want to delete", page);
        return page;
    }

    private JsonNode listed(String token) {
        return Http.json(realm.account("GET", "?type=pin", token)).get(0);
    }

    private HttpResponse<String> delete(String person, String token) {
        String id = realm.pins(person).get(0).get("id").asText();
        return realm.account("DELETE", "/" + id, token);
    }

    private void assertRemoved(HttpResponse<String> response, String person) {
        assertEquals(302, response.statusCode(), response::body);
        assertEquals(List.of(), realm.pins(person));
    }

    private void assertNotRemoved(HttpResponse<String> response, String person) {
        assertEquals(400, response.statusCode(), response::body);
        assertEquals(1, realm.pins(person).size());
    }
}
