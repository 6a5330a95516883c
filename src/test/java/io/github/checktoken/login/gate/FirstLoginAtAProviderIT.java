package io.github.checktoken.login.gate;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An identity of a provider is linked to the account that was created for it, or whose owner agreed, and to no other. V
 * does not agree. The identity belongs to N, who has no account yet.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FirstLoginAtAProviderIT {

    private static final Set<String> KEY = Set.of("pop");

    private final GateRealm realm;
    private final MailServer mails;
    private ScriptedBrowser browser;
    private Person v;
    private int identities;

    FirstLoginAtAProviderIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        mails = mailServer;
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        v = realm.accounts().person("v", true);
    }

    @Test
    void firstLoginEndsForTheNewAccount() {
        Identity n = newIdentity();
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(n);

        GateRealm.assertTold(browser, n.name(), KEY);
    }

    /** N's first login begins. Then the name of V is entered to reset a password, and the first login goes on. */
    @Test
    void identityIsNotLinkedToSomebodyWhoIsOnlyNamed() {
        Form form = leaveFirstLogin(GateRealm.BUILT_IN);
        browser.submitLater(form, Map.of("username", "nobody", "password", "none"));
        nameForReset(v);
        browser.openLoginAction("first-broker-login");

        assertNothingHappenedTo(v);
    }

    /** N's first login begins. Then V's password is entered, but not V's PIN, and the first login goes on. */
    @Test
    void identityIsNotLinkedBeforeTheSecondStep() {
        Form form = leaveFirstLogin("pin-if-set-up");
        browser.submitLater(form, GateRealm.nameAndPassword(v));
        browser.sees(Page.Kind.PIN);
        browser.openLoginAction("first-broker-login");

        assertNothingHappenedTo(v);
    }

    /** V has asked for a mail. Meanwhile N, who has V's name at the provider, begins a first login in V's tab. */
    @Test
    void identityIsNotLinkedByAResetThatItsOwnerAskedForBefore() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        nameForReset(v);
        browser.openLoginAction("authenticate");
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), KEY));
        browser.sees(Page.Kind.LINK_ACCOUNT);

        assertResetSignsInAndLinksNothing();
    }

    /** Somebody else may have left the identity in this tab, so its link is confirmed after the reset. */
    @Test
    void identityIsLinkedAfterAResetIfItsOwnerConfirmsIt() {
        resetWithinFirstLogin();
        realm.assertLinked(0, v);
        browser.submit(Map.of("submitAction", "linkAccount"));
        browser.sees(Page.Kind.NEW_PASSWORD);
        browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

        assertEquals(v.name(), browser.redeem().get("preferred_username").asText());
        realm.assertLinked(1, v);
    }

    /** The first login asks for the name and the password of any account. After the reset, it asks again. */
    @Test
    void identityIsLinkedAfterAResetByTheNewPasswordIfTheFirstLoginDoesNotSearch() {
        resetInAFirstLoginWithoutSearch(() -> {
            realm.assertLinked(0, v);
            browser.submit(Map.of("username", v.name(), "password", "new-password"));

            assertEquals(v.name(), browser.redeem().get("preferred_username").asText());
            realm.assertLinked(1, v);
        });
    }

    @Test
    void identityIsNotLinkedAfterAResetWithoutTheNewPassword() {
        resetInAFirstLoginWithoutSearch(() -> {
            browser.openLoginAction("first-broker-login");
            browser.openLoginAction("required-action");
            browser.openLoginAction("authenticate");

            assertNothingHappenedTo(v);
        });
    }

    private void resetInAFirstLoginWithoutSearch(Runnable further) {
        realm.withFirstLogin("first-login-without-search", () -> {
            browser.request(GateRealm.BUILT_IN, Map.of());
            browser.chooseProvider(WalkRealm.UP);
            browser.signIn(newIdentity());
            browser.sees(Page.Kind.NAME_AND_PASSWORD);
            nameForReset(v);
            openNewestLink();
            browser.sees(Page.Kind.NAME_AND_PASSWORD);
            further.run();
        });
    }

    /** Keycloak 26.5 knows the name there. */
    @Test
    void identityIsNotLinkedAfterAResetIfItsOwnerGoesToTheLoginPage() {
        resetWithinFirstLogin();
        browser.openLoginAction("authenticate");
        assertTrue(browser.shows(Page.Kind.NAME_AND_PASSWORD) || browser.shows(Page.Kind.PASSWORD));
        browser.submit(GateRealm.nameAndPassword(v));
        browser.openLoginAction("first-broker-login");

        realm.assertLinked(0, v);
    }

    /** Whoever goes back to the first login is asked what it asks. */
    @Test
    void identityIsNotLinkedToWhoIsOnlyNamedForTheReset() {
        beginReset();
        browser.openLoginAction("first-broker-login");
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.submit(Map.of("submitAction", "linkAccount"));

        assertNothingHappenedTo(v);
    }

    /** Somebody has left the identity and opened the page for a reset. V signs in at another provider. */
    @Test
    void identityIsNotLinkedToWhoSignsInAtAnotherProviderInsteadOfTheReset() {
        Identity ofV = realm.accounts().identity(WalkRealm.AUTO, v, KEY);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), KEY));
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(ofV);

        assertEquals(v.name(), browser.redeem().get("preferred_username").asText());
        realm.assertLinked(1, v);
    }

    private void beginReset() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), KEY));
        browser.sees(Page.Kind.LINK_ACCOUNT);
        nameForReset(v);
    }

    private void resetWithinFirstLogin() {
        beginReset();
        List<String> links = mails.links(v.address());
        browser.open(links.get(links.size() - 1));
        browser.sees(Page.Kind.LINK_ACCOUNT);
    }

    private void assertResetSignsInAndLinksNothing() {
        List<String> links = mails.links(v.address());
        browser.open(links.get(links.size() - 1));
        if (browser.page().kind() == Page.Kind.RESET) {
            browser.submit(Map.of("username", v.name()));
        }
        browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

        assertEquals(v.name(), browser.redeem().get("preferred_username").asText());
        realm.assertLinked(0, v);
    }

    /** N's account is created and deleted. Then the name of V is entered to reset a password. */
    @Test
    void identityIsNotLinkedToSomebodyElseAfterItsAccountIsDeleted() {
        Identity n = newIdentity();
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.doNotFollow("/broker/after-first-broker-login");
        browser.signIn(n);
        realm.admin().delete(realm.admin().user(n.name()));
        nameForReset(v);
        browser.openLoginAction("first-broker-login");

        assertNothingHappenedTo(v);
    }

    /** N has signed in at the provider, and V signs in later on the login page. */
    @Test
    void timeOfALoginAtTheProviderIsNotToldOfAnother() throws InterruptedException {
        passMaxAge();
        Form form = leaveFirstLogin(GateRealm.BUILT_IN);
        Thread.sleep(1000);
        long before = Instant.now().getEpochSecond();
        browser.submitLater(form, GateRealm.nameAndPassword(v));

        assertTrue(browser.redeem().get("auth_time").asLong() >= before);
    }

    /** V resets the password in the tab in which Keycloak goes on after another reset. */
    @Test
    void timeOfALoginAtTheProviderIsNotToldOfAResetInAnotherTab() throws InterruptedException {
        passMaxAge();
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.doNotFollow("/login-actions/first-broker-login");
        browser.signIn(newIdentity());
        Thread.sleep(1000);
        long before = Instant.now().getEpochSecond();
        nameForReset(v);
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        String otherTab = Walk.parameter(browser.page().form().action(), "tab_id");
        browser.open(realm.url() + "/login-actions/reset-credentials?client_id=" + GateRealm.BUILT_IN + "&tab_id="
                + otherTab);
        browser.submit(Map.of("username", v.name()));
        openNewestLink();

        assertTrue(browser.redeem().get("auth_time").asLong() >= before);
    }

    /** Keycloak refuses the account that the identity is linked to, after it has noted what the provider said. */
    @Test
    void timeOfARefusedLoginAtTheProviderIsNotToldOfAReset() throws InterruptedException {
        passMaxAge();
        Person disabled = realm.accounts().person("d", false);
        Identity identity = realm.accounts().identity(WalkRealm.UP, disabled, KEY);
        realm.accounts().disable(disabled);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);
        browser.sees(Page.Kind.ERROR);
        Thread.sleep(1000);
        long before = Instant.now().getEpochSecond();
        nameForReset(v);
        openNewestLink();

        assertTrue(browser.redeem().get("auth_time").asLong() >= before);
    }

    /** The person has signed in at the provider, has an action to do, and presses the browser's Back button. */
    @Test
    void timeOfTheLoginAtTheProviderStaysIfAnActionIsDue() throws InterruptedException {
        passMaxAge();
        Person a = realm.accounts().person("a", false, "UPDATE_PASSWORD");
        Identity identity = realm.accounts().identity(WalkRealm.UP, a, KEY);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);
        long signedIn = Instant.now().getEpochSecond();
        browser.sees(Page.Kind.NEW_PASSWORD);
        Waiting.untilAllIsOlderThan(1);
        browser.openLoginAction("authenticate");
        browser.sees(Page.Kind.EXPIRED);
        browser.openLoginAction("required-action");
        browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

        assertTrue(browser.redeem().get("auth_time").asLong() <= signedIn + 1);
    }

    @Test
    void timeThatTheProviderTellsIsNotLaterThanNow() {
        passMaxAge();
        Identity identity = realm.accounts().identity(WalkRealm.UP, v, KEY);
        String scope = "/client-scopes/" + realm.provider().clientScope("basic") + "/protocol-mappers/models";
        JsonNode mapper = realm.provider()
                .get(scope)
                .valueStream()
                .filter(each -> each.get("name").asText().equals("auth_time"))
                .findFirst()
                .orElseThrow();
        String path = scope + "/" + mapper.get("id").asText();
        realm.provider().update(path, changed -> {
            changed.put("protocolMapper", "oidc-hardcoded-claim-mapper");
            changed.withObject("/config").put("claim.value", "2000000000");
        });
        try {
            browser.request(GateRealm.BUILT_IN, Map.of());
            browser.chooseProvider(WalkRealm.UP);
            browser.signIn(identity);

            assertTrue(
                    browser.redeem().get("auth_time").asLong() <= Instant.now().getEpochSecond());
        } finally {
            realm.provider().put(path, mapper);
        }
    }

    private void openNewestLink() {
        List<String> links = mails.links(v.address());
        browser.open(links.get(links.size() - 1));
        browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));
    }

    private void passMaxAge() {
        realm.admin()
                .update(
                        "/identity-provider/instances/" + WalkRealm.UP,
                        settings -> settings.withObject("/config").put("passMaxAge", "true"));
    }

    private Identity newIdentity() {
        return realm.accounts().unlinkedIdentity(WalkRealm.UP, "n-" + identities++, KEY);
    }

    /**
     * Leaves N's first login for the login page, with which it ends.
     *
     * @return the form that asks for a name and a password
     */
    private Form leaveFirstLogin(String client) {
        browser.request(client, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.doNotFollow("/login-actions/first-broker-login");
        browser.signIn(newIdentity());
        browser.openLoginAction("authenticate");
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        Form form = browser.page().form();
        browser.openLoginAction("first-broker-login", form);
        browser.sees(Page.Kind.ERROR);
        return form;
    }

    private void nameForReset(Person person) {
        browser.openLoginAction("reset-credentials");
        browser.sees(Page.Kind.RESET);
        browser.submit(Map.of("username", person.name()));
    }

    private void assertNothingHappenedTo(Person person) {
        realm.assertLinked(0, person);
        realm.assertNotSignedIn(person);
    }
}
