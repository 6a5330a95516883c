package io.github.checktoken.login.evidence;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.RandomWalkIT;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.Accounts;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Repeats, step by step, attacks that once made amr or acr report more than the person had proved. {@link RandomWalkIT}
 * finds such attacks by chance. A and V share a browser. Each has an account here and may have one at the provider,
 * which reports {@code pop pin} and the second level for A, and {@code pwd} for V.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedBrowserAttacksIT {

    private static final Set<String> PASSWORD = Set.of("pwd");
    private static final Set<String> KEY_AND_PIN = Set.of("pop", "pin");

    private final KeycloakServer server;
    private MailServer mailServer;
    private WalkRealm realm;
    private ScriptedBrowser browser;
    private Accounts accounts;

    SharedBrowserAttacksIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeAll
    void makeRealm() {
        mailServer = new MailServer(server);
        realm = new WalkRealm(server, mailServer.settings());
        accounts = new Accounts(realm);
    }

    @BeforeEach
    void openBrowser() {
        browser = new ScriptedBrowser(realm);
    }

    @AfterAll
    void cleanUp() {
        mailServer.close();
    }

    /**
     * A enters the PIN after the provider and stops there. V signs in at the provider in the same login, and is asked for
     * the own PIN.
     */
    @Test
    void secondLoginAtAProviderHasNoPinAndNoLevelOfTheFirst() {
        Person a = accounts.person("a", true);
        Person v = accounts.person("v", true);
        Identity ofA = accounts.identity(a, KEY_AND_PIN);
        Identity ofV = accounts.identity(v, PASSWORD);

        browser.request(WalkRealm.STEP_UP, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofA);
        browser.sees(Page.Kind.PIN);
        browser.doNotFollow("/broker/after-post-broker-login");
        browser.submit(Map.of("pin", a.pin()));
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofV);
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", v.pin()));

        assertTold(v, Set.of("pwd", "pin"));
    }

    /**
     * V enters the password. A comes back from the provider, stops there, and returns to V's login page, where A is asked
     * for the own password.
     */
    @Test
    void loginAtAProviderHasNoPasswordOfWhoBegan() {
        Person v = accounts.person("v", true);
        Person a = accounts.person("a", true);
        Identity ofA = accounts.identity(a, KEY_AND_PIN);

        browser.request("pin-if-set-up", Map.of());
        browser.submit(nameAndPassword(v));
        browser.sees(Page.Kind.PIN);
        browser.chooseProvider(WalkRealm.UP);
        browser.doNotFollow("/login-actions/post-broker-login");
        browser.signIn(ofA);
        browser.openLoginAction("authenticate");
        browser.sees(Page.Kind.PASSWORD);
        browser.submit(Map.of("password", a.password()));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", a.pin()));

        assertTold(a, Set.of("pwd", "pin"));
    }

    /** V is asked to link an account, signs in at the provider as A, whose account is already linked, and cancels. */
    @Test
    void loginHasNoMethodsOfAnAccountThatWasNotLinked() {
        Person v = accounts.person("v", false);
        Person a = accounts.person("a", true);
        Identity ofV = accounts.identity(v, PASSWORD);
        Identity ofA = accounts.identity(a, KEY_AND_PIN);

        browser.request("pin-if-set-up", Map.of("kc_action", "idp_link:" + WalkRealm.UP));
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofV);
        browser.sees(Page.Kind.LINK_ACTION);
        String linkAction = withoutSessionCode(browser.page().form().action());
        browser.submit(Map.of("continue", "Continue"));
        browser.signIn(ofA);
        browser.sees(Page.Kind.ERROR);
        browser.open(linkAction);
        browser.sees(Page.Kind.LINK_ACTION);
        browser.submit(Map.of("cancel-aia", "true"));

        assertTold(v, PASSWORD);
    }

    /** A enters the PIN, then resets the credentials of an unknown user, which clears the user. V signs in. */
    @Test
    void loginAfterAResetHasNoPinOfWhoBegan() {
        Person a = accounts.person("a", true);
        Person v = accounts.person("v", true);

        browser.request("pin-and-code", Map.of());
        browser.submit(Map.of("username", a.name()));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", a.pin()));
        browser.sees(Page.Kind.MAIL_CODE);
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", "nobody"));
        browser.openLoginAction("authenticate");
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.submit(nameAndPassword(v));

        assertTold(v, PASSWORD);
    }

    /** D's correct password is rejected because D is disabled. A signs in with the PIN. */
    @Test
    void loginHasNoPasswordOfWhoIsDisabled() {
        Person d = accounts.person("d", true);
        accounts.disable(d);
        Person a = accounts.person("a", true);

        browser.request("federation", Map.of());
        browser.submit(nameAndPassword(d));
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.tryAnotherWay(1);
        browser.sees(Page.Kind.NAME);
        browser.submit(Map.of("username", a.name()));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", a.pin()));

        assertTold(a, Set.of("pin"));
    }

    /** V comes back from the provider. D, who is disabled, comes back from it too and is rejected. V continues. */
    @Test
    void loginHasNoMethodsAndNoLevelOfASecondIdentityThatIsRefused() {
        Person v = accounts.person("v", true);
        Person d = accounts.person("d", true);
        Identity ofV = accounts.identity(v, PASSWORD);
        Identity ofD = accounts.identity(d, KEY_AND_PIN);
        accounts.disable(d);

        browser.request(WalkRealm.STEP_UP, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofV);
        browser.sees(Page.Kind.PIN);
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofD);
        browser.sees(Page.Kind.ERROR);
        browser.openLoginAction("post-broker-login");
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", v.pin()));

        assertTold(v, Set.of("pin"), "pwd", "mfa");
    }

    /** A begins and gets a link by mail. V restarts and enters the PIN. A opens the link, which only verifies the address. */
    @Test
    void linkFromAMailDoesNotGoOnWithTheLoginOfSomebodyElse() {
        Person a = accounts.person("a", true, "VERIFY_EMAIL");
        Person v = accounts.person("v", true, "VERIFY_EMAIL");

        browser.request("ways", Map.of());
        browser.submit(Map.of("username", a.name()));
        browser.sees(Page.Kind.PASSWORD);
        browser.submit(Map.of("password", a.password()));
        browser.sees(Page.Kind.INFORMATION);
        browser.openLoginAction("restart");
        browser.submit(Map.of("username", v.name()));
        browser.tryAnotherWay(1);
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", v.pin()));
        browser.sees(Page.Kind.INFORMATION);
        browser.open(mailServer.links(a.address()).get(0));

        browser.sees(Page.Kind.INFORMATION);
        for (Person person : List.of(a, v)) {
            assertEquals(
                    0,
                    realm.admin()
                            .get(realm.admin().user(person.name()) + "/sessions")
                            .size());
        }
    }

    /** V has entered the PIN. Without the session's cookie, V's password signs in to a session with the same id. */
    @Test
    void loginWithoutTheCookieOfTheSessionHasNoMethodsOfTheSession() {
        Person v = accounts.person("v", true);

        browser.request("pin", Map.of());
        browser.submit(nameAndPassword(v));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", v.pin()));
        assertTold(v, Set.of("pin", "pwd"));
        browser.request("pin", Map.of("prompt", "login"));
        browser.deleteCookie("KEYCLOAK_IDENTITY");
        browser.request("pin-and-code", Map.of("max_age", "0"));
        browser.sees(Page.Kind.NAME);
        browser.tryAnotherWay(1);
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.submit(nameAndPassword(v));

        assertTold(v, PASSWORD);
    }

    /**
     * V has reached the second level. Without the session's cookie, V signs in with the password and asks for no level.
     */
    @Test
    void loginWithoutTheCookieOfTheSessionHasNoLevelOfTheSession() {
        Person v = accounts.person("v", true);

        browser.request(WalkRealm.STEP_UP, Map.of("acr_values", "eidas2"));
        browser.submit(nameAndPassword(v));
        browser.sees(Page.Kind.PIN);
        browser.submit(Map.of("pin", v.pin()));
        assertEquals("eidas2", browser.redeem().path("acr").asText());
        browser.request("pin", Map.of("prompt", "login"));
        browser.deleteCookie("KEYCLOAK_IDENTITY");
        browser.request("ways", Map.of("max_age", "0"));
        browser.sees(Page.Kind.NAME);
        browser.submit(Map.of("username", v.name()));
        browser.sees(Page.Kind.PASSWORD);
        browser.submit(Map.of("password", v.password()));
        assertTold(v, PASSWORD);
        browser.request(WalkRealm.STEP_UP, Map.of("acr_values", "eidas2"));

        browser.sees(Page.Kind.PASSWORD);
    }

    /**
     * Checks that the login ended with a code for this person, that amr has these methods, and that acr is eidas1.
     *
     * @param perhaps methods that were proved as well; amr may have them or not
     */
    private void assertTold(Person person, Set<String> methods, String... perhaps) {
        JsonNode claims = browser.redeem();
        Set<String> told = new TreeSet<>();
        claims.path("amr").forEach(value -> told.add(value.asText()));
        assertEquals(person.name(), claims.path("preferred_username").asText());
        Set<String> expected = new TreeSet<>(told);
        expected.retainAll(Set.of(perhaps));
        expected.addAll(methods);
        assertEquals(expected, told);
        assertEquals("eidas1", claims.path("acr").asText());
    }

    private static Map<String, String> nameAndPassword(Person person) {
        return Map.of("username", person.name(), "password", person.password());
    }

    private static String withoutSessionCode(String url) {
        return url.replaceAll("session_code=[^&]*&?", "");
    }
}
