package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.Set;

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

import static org.junit.jupiter.api.Assertions.assertNull;

/** Somebody who has signed in at a provider is asked for the PIN afterwards, or for what the login page asks for. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StepAfterProviderIT {

    private static final String CLIENT = "username-password";
    private static final Set<String> KEY = Set.of("pop");

    private final GateRealm realm;
    private ScriptedBrowser browser;
    private Person v;

    StepAfterProviderIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        realm.bind(CLIENT, "name-and-level");
        realm.admin()
                .update(
                        "/identity-provider/instances/" + WalkRealm.AUTO,
                        settings -> settings.put("postBrokerLoginFlowAlias", "level-and-pin-after-provider"));
    }

    @BeforeEach
    void signInAtTheProvider() {
        v = realm.accounts().person("v", true);
        browser = realm.browser();
        browser.request(CLIENT, Map.of());
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(realm.accounts().identity(WalkRealm.AUTO, v, KEY));
        browser.sees(Page.Kind.PIN);
    }

    @Test
    void loginEndsAfterThePin() {
        browser.submit(Map.of("pin", v.pin()));

        GateRealm.assertTold(browser, v.name(), Set.of("mfa", "pin", "pop"));
    }

    @Test
    void levelDoesNotCountOnTheLoginPage() {
        browser.openLoginAction("authenticate");

        assertPasswordIsAskedFor();
    }

    @Test
    void levelDoesNotCountAfterTheProviderHasRefused() {
        browser.chooseProvider(WalkRealm.AUTO);
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        String state = Walk.parameter(browser.page().url(), "state");
        browser.open(realm.url() + "/broker/" + WalkRealm.AUTO + "/endpoint?error=access_denied&state=" + state);

        assertPasswordIsAskedFor();
    }

    /** The account of who signed in at the provider is deleted, and a form names V in the flow that comes after it. */
    @Test
    void levelDoesNotCountForSomebodyElse() {
        Person deleted = realm.accounts().person("d", false);
        browser = realm.browser();
        browser.request(GateRealm.LEVELS, Map.of("acr_values", "eidas2"));
        browser.chooseProvider(WalkRealm.AUTO);
        browser.doNotFollow("/login-actions/post-broker-login");
        browser.signIn(realm.accounts().identity(WalkRealm.AUTO, deleted, KEY));
        realm.admin().delete(realm.admin().user(deleted.name()));
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        String action = browser.page().form().action().replace("/reset-credentials?", "/post-broker-login?");
        browser.submit(new Form(action, Map.of(), List.of()), Map.of("username", v.name()));
        browser.openLoginAction("authenticate");

        browser.sees(Page.Kind.NAME_AND_PASSWORD);
    }

    /** The page that knows the name has the link to the provider and a button to go on. */
    private void assertPasswordIsAskedFor() {
        browser.submit(Map.of("username", v.name()));

        assertNull(browser.answer());
        browser.sees(Page.Kind.PASSWORD);
        realm.assertNotSignedIn(v);
    }
}
