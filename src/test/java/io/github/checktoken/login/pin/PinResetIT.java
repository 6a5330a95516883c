package io.github.checktoken.login.pin;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Tests a reset of the password by e-mail. The flow asks people who have a PIN to enter it, because access to the
 * mailbox is not enough.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinResetIT {

    private final PinRealm realm;
    private final MailServer mailServer;

    PinResetIT(PinRealm realm, MailServer mailServer) {
        this.realm = realm;
        this.mailServer = mailServer;
        realm.admin().update("", settings -> settings.putPOJO("smtpServer", mailServer.settings()));
    }

    @Test
    void linkLeadsToThePinBeforeTheNewPassword() {
        String person = realm.newPersonWithPin();
        Browser browser = realm.browser();
        HttpResponse<String> page = reset(browser, person);
        assertShows("Enter your PIN", page);
        page = realm.give(browser, page, WRONG_PIN);
        assertShows("This PIN is not right.", page);
        page = realm.give(browser, page, PIN);
        HttpResponse<String> after =
                browser.submit(page, Map.of("password-new", "new-password", "password-confirm", "new-password"));
        assertEquals(302, after.statusCode(), after::body);
        assertEquals(List.of("invalid_user_credentials"), realm.errors("RESET_PASSWORD_ERROR", person));
    }

    @Test
    void whoHasNoPinGoesOnToTheNewPassword() {
        Browser browser = realm.browser();
        HttpResponse<String> page = reset(browser, realm.newPerson());
        assertHas("[name=password-new]", page);
    }

    /** @return the page behind the link of the mail */
    private HttpResponse<String> reset(Browser browser, String person) {
        HttpResponse<String> login = realm.request(browser, PIN_FLOW, "");
        HttpResponse<String> form = browser.follow(login, "[href*=/login-actions/reset-credentials]");
        browser.submit(form, Map.of("username", person));
        return browser.get(mailServer.mailsTo(person + "@example.org").get(0).link());
    }
}
