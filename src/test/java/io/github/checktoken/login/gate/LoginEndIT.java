package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a login ends, what it was proved with is this person's, recent, and still there. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginEndIT {

    /** The client whose scopes the person has to agree to. */
    private static final String CONSENT = "consent";

    private final GateRealm realm;
    private final MailServer mails;
    private ScriptedBrowser browser;
    private Person v;

    LoginEndIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        mails = mailServer;
    }

    @BeforeEach
    void openBrowser() {
        settings("reset credentials", 1800);
        browser = realm.browser();
        v = realm.accounts().person("v", false);
    }

    /** A signs in half-way in the tab in which Keycloak goes on after V's reset. V's link is opened there. */
    @Test
    void whatSomebodyElseHasProvedInAnotherTabIsNotTold() {
        Person a = realm.accounts().person("a", true);
        settings("reset-with-link", 1800);
        browser.request(GateRealm.LEVELS, Map.of("acr_values", "eidas2"));
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", v.name()));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        String otherTab = Walk.parameter(browser.page().form().action(), "tab_id");
        browser.submit(GateRealm.nameAndPassword(a));
        browser.submit(Map.of("pin", a.pin()));
        browser.sees(Page.Kind.MAIL_CODE);
        browser.open(link().replaceFirst("tab_id=[^&]*", "tab_id=" + otherTab));
        GateRealm.assertTold(browser, v.name(), Set.of());

        browser.request(GateRealm.BUILT_IN, Map.of());
        GateRealm.assertTold(browser, v.name(), Set.of());
        browser.request(GateRealm.LEVELS, Map.of("acr_values", "eidas2"));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
    }

    /** The login has begun before the browser has the cookie of the session, so it has an id of its own. */
    @Test
    void consentDoesNotContinueASessionThatHasEnded() {
        ScriptedBrowser owner = realm.browser();
        owner.request(GateRealm.BUILT_IN, Map.of());
        owner.submit(GateRealm.nameAndPassword(v));
        GateRealm.assertTold(owner, v.name(), Set.of("pwd"));
        browser.request(CONSENT, Map.of());
        browser.copyCookie("KEYCLOAK_IDENTITY", owner);
        browser.request(CONSENT, Map.of());
        browser.sees(Page.Kind.CONSENT);
        realm.admin().post(realm.admin().user(v.name()) + "/logout", Map.of());
        browser.submit(Map.of("accept", "Yes"));

        browser.sees(Page.Kind.REFUSED);
        realm.assertNotSignedIn(v);
    }

    /** V opens the link in another browser than the one that asked for it, and has not agreed to the client's scopes yet. */
    @Test
    void linkThatSignsNobodyInAsksForNoConsent() {
        browser.request(CONSENT, Map.of());
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", v.name()));
        ScriptedBrowser other = realm.browser();
        other.open(link());
        other.sees(Page.Kind.NEW_PASSWORD);
        other.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

        other.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** The required action is done elsewhere, and a link goes on with the login that has waited at it. */
    @Test
    void linkDoesNotEndALoginThatIsKeptOpen() {
        keepOpenAtARequiredAction();
        browser.open(link());

        browser.sees(Page.Kind.EXPIRED);
        realm.assertNotSignedIn(v);
    }

    /** Keycloak takes the link from a form for the page of a reset, too. */
    @Test
    void linkInAFormDoesNotEndALoginThatIsKeptOpen() {
        keepOpenAtARequiredAction();
        browser.submit(
                new Form(link().replace("/action-token?", "/reset-credentials?"), Map.of(), List.of()), Map.of());

        browser.sees(Page.Kind.EXPIRED);
        realm.assertNotSignedIn(v);
    }

    private void keepOpenAtARequiredAction() {
        settings("reset credentials", 6);
        v = realm.accounts().person("v", false, "UPDATE_PASSWORD");
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", v.name()));
        browser.openLoginAction("authenticate");
        browser.submit(GateRealm.nameAndPassword(v));
        browser.sees(Page.Kind.NEW_PASSWORD);
        realm.admin().update(realm.admin().user(v.name()), user -> user.putArray("requiredActions"));
        keepOpen();
    }

    /** New tabs keep the login, which Keycloak would end only if none were opened. */
    @Test
    void loginThatIsKeptOpenEnds() {
        settings("reset credentials", 6);
        browser.request(CONSENT, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));
        browser.sees(Page.Kind.CONSENT);
        Form consent = browser.page().form();
        keepOpen();
        browser.submitLater(consent, Map.of("accept", "Yes"));

        browser.sees(Page.Kind.EXPIRED);
        realm.assertNotSignedIn(v);
    }

    /** V has asked for a link to an identity, and somebody else signs in at the provider much later. */
    @Test
    void identityIsNotLinkedInALoginThatIsKeptOpen() {
        settings("reset credentials", 6);
        Identity further = realm.accounts().unlinkedIdentity(WalkRealm.UP, "further-" + v.name(), Set.of("pop"));
        browser.request(GateRealm.BUILT_IN, Map.of("kc_action", "idp_link:" + WalkRealm.UP));
        browser.submit(GateRealm.nameAndPassword(v));
        browser.sees(Page.Kind.LINK_ACTION);
        browser.submit(Map.of("continue", "Continue"));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        Form provider = browser.page().form();
        keepOpen();
        browser.submit(provider, Map.of("username", further.name(), "password", further.password()));

        browser.sees(Page.Kind.EXPIRED);
        realm.assertLinked(0, v);
    }

    /** The time of a login counts from the first proof, and not from the name. */
    @Test
    void whoLooksForThePasswordForLongIsSignedIn() {
        settings("reset credentials", 6);
        realm.bind("pin", "username-password");
        browser.request("pin", Map.of());
        browser.submit(Map.of("username", v.name()));
        for (int i = 0; i < 2; i++) {
            Waiting.untilAllIsOlderThan(3);
            browser.submit(Map.of("password", "wrong"));
        }
        Waiting.untilAllIsOlderThan(2);
        browser.submit(Map.of("password", v.password()));

        GateRealm.assertTold(browser, v.name(), Set.of("pwd"));
    }

    private String link() {
        return mails.links(v.address()).get(0);
    }

    /** @param seconds how long a login may take */
    private void settings(String resetFlow, int seconds) {
        realm.admin()
                .update(
                        "",
                        settings -> settings.put("resetCredentialsFlow", resetFlow)
                                .put("accessCodeLifespanLogin", seconds)
                                .put("accessCodeLifespanUserAction", Math.min(300, seconds))
                                .put("accessCodeLifespan", Math.min(60, seconds)));
    }

    private void keepOpen() {
        for (int i = 0; i < 2; i++) {
            Waiting.untilAllIsOlderThan(3);
            browser.request(GateRealm.BUILT_IN, Map.of("prompt", "login"));
        }
    }
}
