package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;

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
        String step = realm.admin()
                .execution("reset credentials", "reset-credential-email")
                .get("id")
                .asText();
        browser.submit(
                new Form(
                        loginAction("reset-credentials", browser.tab()) + "&session_code=" + code + "&execution="
                                + step,
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
