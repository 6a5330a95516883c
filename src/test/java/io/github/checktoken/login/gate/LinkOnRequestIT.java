package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A, who signs in at one provider, may link an identity of another one. It is linked to A or to nobody. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LinkOnRequestIT {

    private static final Set<String> KEY = Set.of("pop");

    private final GateRealm realm;
    private ScriptedBrowser browser;
    private Person a;
    private Person v;
    private Identity ofA;
    private Identity further;

    LinkOnRequestIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        a = realm.accounts().person("a", false);
        v = realm.accounts().person("v", false);
        ofA = realm.accounts().identity(WalkRealm.AUTO, a, KEY);
        further = realm.accounts().unlinkedIdentity(WalkRealm.UP, "further-" + a.name(), KEY);
    }

    @Test
    void identityIsLinkedToWhoAsked() {
        beginToLink();
        browser.signIn(further);

        GateRealm.assertTold(browser, a.name(), KEY);
        realm.assertLinked(2, a);
    }

    @Test
    void identityIsNotLinkedToWhoIsNamed() {
        beginToLink();
        nameSomebodyElse();
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(further);
        finishLinking();

        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    @Test
    void nobodyElseIsSignedInWhenTheProviderRefuses() {
        beginToLink();
        nameSomebodyElse();
        browser.chooseProvider(WalkRealm.UP);
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        String state = Walk.parameter(browser.page().url(), "state");
        browser.open(realm.url() + "/broker/" + WalkRealm.UP + "/endpoint?error=access_denied&state=" + state);
        finishLinking();

        realm.assertNotSignedIn(v);
    }

    /** The other person's first login has begun in this tab, and A signs in at A's own provider. */
    @Test
    void identityOfWhoBeganIsNotLinkedToWhoSignsIn() {
        browser.request("federation", Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.doNotFollow("/login-actions/first-broker-login");
        browser.signIn(further);
        browser.openLoginAction("authenticate");
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(ofA);

        GateRealm.assertTold(browser, a.name(), KEY);
        realm.assertLinked(1, a);
    }

    private void beginToLink() {
        browser.request("ways", Map.of("kc_action", "idp_link:" + WalkRealm.UP));
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(ofA);
        browser.sees(Page.Kind.LINK_ACTION);
        browser.submit(Map.of("continue", "Continue"));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
    }

    /** Keycloak 26.5 asks once more. */
    private void finishLinking() {
        if (browser.shows(Page.Kind.LINK_ACTION)) {
            browser.submit(Map.of("cancel-aia", "true"));
        }
    }

    /** A name that nobody has is entered to reset a password, and V's name at the login page. */
    private void nameSomebodyElse() {
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", "nobody"));
        browser.openLoginAction("authenticate");
        browser.sees(Page.Kind.NAME);
        browser.submit(Map.of("username", v.name()));
    }
}
