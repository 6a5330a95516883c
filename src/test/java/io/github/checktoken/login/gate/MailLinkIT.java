package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.Set;

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
        browser.request(GateRealm.BUILT_IN, Map.of());
        nameForReset(v);
        browser.open(mails.links(v.address()).get(0));

        browser.sees(Page.Kind.NEW_PASSWORD);
    }

    /** The step that has sent the mail is sent a form of its own, with the session code of another page. */
    @Test
    void stepThatSendsTheLinkDoesNotPassWithoutIt() {
        realm.admin().update(realm.admin().user(v.name()), user -> user.put("emailVerified", false));
        browser.request(GateRealm.BUILT_IN, Map.of());
        nameForReset(v);
        sendFormOfMailStep();

        assertFalse(browser.shows(Page.Kind.NEW_PASSWORD));
        realm.assertPasswordKept(v);
        assertFalse(realm.admin()
                .get(realm.admin().user(v.name()))
                .get("emailVerified")
                .asBoolean());
    }

    /** Who knows the password, but not the PIN, resets neither. */
    @Test
    void passwordDoesNotStandForTheLink() {
        Person withPin = realm.accounts().person("v", true);
        browser.request("pin-if-set-up", Map.of());
        browser.submit(GateRealm.nameAndPassword(withPin));
        browser.sees(Page.Kind.PIN);
        nameForReset(withPin);
        sendFormOfMailStep();

        assertFalse(browser.shows(Page.Kind.NEW_PASSWORD));
        realm.assertPasswordKept(withPin);
    }

    private void sendFormOfMailStep() {
        browser.openLoginAction("authenticate");
        String action = browser.page()
                .form()
                .action()
                .replace("/authenticate?", "/reset-credentials?")
                .replaceAll("execution=[^&]*", "execution=" + mailStep());
        browser.openLoginAction("reset-credentials");
        browser.submit(new Form(action, Map.of(), List.of()), Map.of());
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
        String confirmation = openMailOfV();
        browser.open(loginAction("reset-credentials", Walk.parameter(confirmation, "tab_id")) + more);

        browser.sees(Page.Kind.RESET);
        browser.open(confirmation);
        browser.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** The mail asks whether an identity may be linked, and its link is opened in a browser of its own. */
    @Test
    void linkThatConfirmsAnIdentityResetsNothing() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), Set.of("pop")));
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.submit(Map.of("submitAction", "linkAccount"));
        browser = realm.browser();
        browser.open(loginAction("reset-credentials", Walk.parameter(openMailOfV(), "tab_id")));

        browser.sees(Page.Kind.RESET);
    }

    /** @return the link with which V confirms that the link of the mail was opened on purpose */
    private String openMailOfV() {
        browser.open(mails.links(v.address()).get(0));
        return browser.page().links().stream()
                .filter(link -> link.contains("/action-token"))
                .findFirst()
                .orElseThrow();
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

    private void nameForReset(Person person) {
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", person.name()));
    }

    private String loginAction(String action, String tab) {
        return realm.url() + "/login-actions/" + action + "?client_id=" + GateRealm.BUILT_IN + "&tab_id=" + tab;
    }
}
