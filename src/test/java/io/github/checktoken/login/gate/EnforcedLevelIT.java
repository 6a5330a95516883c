package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** A client policy enforces a flow and promises the second level for it. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnforcedLevelIT {

    private final GateRealm realm;
    private ScriptedBrowser browser;

    EnforcedLevelIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        Map<String, Object> executor = Map.of(
                "executor",
                "auth-flow-enforcer",
                "configuration",
                Map.of("auth-flow-alias", "pin", "auth-flow-loa", 2));
        Map<String, Object> condition = Map.of("condition", "any-client", "configuration", Map.of());
        realm.admin()
                .put(
                        "/client-policies/profiles",
                        Map.of("profiles", List.of(Map.of("name", "high", "executors", List.of(executor)))));
        realm.admin()
                .put(
                        "/client-policies/policies",
                        Map.of(
                                "policies",
                                List.of(Map.of(
                                        "name",
                                        "high",
                                        "enabled",
                                        true,
                                        "conditions",
                                        List.of(condition),
                                        "profiles",
                                        List.of("high")))));
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
    }

    @Test
    void loginThatBeginsAnewHasTheEnforcedFlow() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.openLoginAction("restart");
        browser.submit(GateRealm.nameAndPassword(realm.accounts().person("v", true)));

        browser.sees(Page.Kind.PIN);
    }

    /** The cookie that restarts a login has what the client asked for, and not what Keycloak noted beside it. */
    @Test
    void loginThatBeginsAnewWithoutItsTabsHasTheEnforcedFlow() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.deleteCookie("AUTH_SESSION_ID");
        browser.openLoginAction("authenticate");
        browser.submit(GateRealm.nameAndPassword(realm.accounts().person("v", true)));

        browser.sees(Page.Kind.PIN);
    }

    @Test
    void loginThatBeginsAnewAfterASignOutHasTheEnforcedFlow() {
        Person own = realm.accounts().person("own", true);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(own));
        browser.submit(Map.of("pin", own.pin()));
        ScriptedBrowser tab = realm.browser();
        Stream.of("AUTH_SESSION_ID", "KC_AUTH_SESSION_HASH", "KEYCLOAK_IDENTITY", "KEYCLOAK_SESSION")
                .forEach(cookie -> tab.copyCookie(cookie, browser));
        tab.request(GateRealm.BUILT_IN, Map.of("prompt", "login"));
        tab.openLoginAction("restart");
        tab.submit(GateRealm.nameAndPassword(realm.accounts().person("v", true)));

        tab.sees(Page.Kind.PIN);
    }

    /** Keycloak shows the login page of a tab of its own after it has sent the mail. */
    @Test
    void loginAfterTheMailOfAResetHasTheEnforcedFlow() {
        Person v = realm.accounts().person("v", true);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", v.name()));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.submit(GateRealm.nameAndPassword(v));

        browser.sees(Page.Kind.PIN);
    }

    /** The login page is shown, and the account is created in the same tab. */
    @Test
    void registrationDoesNotReachTheLevelOfTheLoginPage() {
        browser.request("pin", Map.of());
        browser.openLoginAction("registration", browser.page().form());
        browser.sees(Page.Kind.REGISTRATION);
        browser.submit(Map.of(
                "username", "new-account",
                "password", "new-password",
                "password-confirm", "new-password",
                "email", "new-account@example.org",
                "firstName", "Camille",
                "lastName", "Moreau"));

        assertNotEquals("eidas2", browser.redeem().path("acr").asText());
    }
}
