package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;

/** A link that resets credentials has to be opened, and a link for one action resets none. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailLinkIT {

    private final GateRealm realm;
    private final MailServer mails;
    private ScriptedBrowser browser;
    private Person v;

    MailLinkIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        mails = mailServer;
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        v = realm.accounts().person("v", false);
    }

    @Test
    void openedLinkResetsThePassword() {
        askForANewPassword();
        browser.open(mails.links(v.address()).get(0));

        browser.sees(Page.Kind.NEW_PASSWORD);
    }

    /** The step that has sent the mail is sent a form of its own, with the session code of another page. */
    @Test
    void stepThatSendsTheLinkDoesNotPassWithoutIt() {
        askForANewPassword();
        browser.openLoginAction("authenticate");
        String code = Walk.parameter(browser.page().form().action(), "session_code");
        browser.openLoginAction("reset-credentials");
        browser.submit(
                new Form(
                        loginAction("reset-credentials", browser.tab()) + "&session_code=" + code + "&execution="
                                + mailStep(),
                        Map.of(),
                        List.of()),
                Map.of());

        assertFalse(browser.shows(Page.Kind.NEW_PASSWORD));
        realm.assertPasswordKept(v);
    }

    /** @param more what follows the address of the page; only a form for it can have a link */
    @ParameterizedTest
    @ValueSource(strings = {"", "&key=any"})
    void linkForOneActionResetsNothing(String more) {
        realm.admin()
                .put(
                        realm.admin().user(v.name()) + "/execute-actions-email?client_id=" + GateRealm.BUILT_IN
                                + "&redirect_uri=" + WalkRealm.CALLBACK,
                        List.of("VERIFY_EMAIL"));
        browser.open(mails.links(v.address()).get(0));
        String confirmation = browser.page().links().stream()
                .filter(link -> link.contains("/action-token"))
                .findFirst()
                .orElseThrow();
        browser.open(loginAction("reset-credentials", Walk.parameter(confirmation, "tab_id")) + more);

        browser.sees(Page.Kind.RESET);
        browser.open(confirmation);
        browser.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** The realm asks for a new login after a reset. */
    @Test
    void resetThatAsksForANewLoginApprovesNoDevice() {
        String config = realm.admin()
                .create(
                        "/authentication/executions/" + mailStep() + "/config",
                        Map.of("alias", "new-login", "config", Map.of("force-login", "true")));
        try {
            JsonNode device = Http.json(realm.client(GateRealm.BUILT_IN)
                    .post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
            browser.open(device.get("verification_uri_complete").asText());
            browser.open(loginAction(
                    "reset-credentials", Walk.parameter(browser.page().form().action(), "tab_id")));
            browser.submit(Map.of("username", v.name()));
            browser.open(mails.links(v.address()).get(0));
            browser.sees(Page.Kind.NEW_PASSWORD);
            browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

            browser.sees(Page.Kind.INFORMATION);
            realm.assertNotSignedIn(v);
        } finally {
            realm.admin().delete("/authentication/config/" + config);
        }
    }

    private String mailStep() {
        return realm.admin()
                .execution("reset credentials", "reset-credential-email")
                .get("id")
                .asText();
    }

    private void askForANewPassword() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", v.name()));
    }

    private String loginAction(String action, String tab) {
        return realm.url() + "/login-actions/" + action + "?client_id=" + GateRealm.BUILT_IN + "&tab_id=" + tab;
    }
}
