package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.Accounts;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** An identity whose first login has begun is linked to nobody who has not been asked about it. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgreementToLinkIT {

    private static final String CLIENT = "federation";
    private static final Set<String> KEY = Set.of("pop");

    private final KeycloakServer server;
    private final MailServer mails;
    private final WalkRealm realm;
    private final Accounts accounts;
    private ScriptedBrowser browser;

    AgreementToLinkIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        mails = mailServer;
        realm = new WalkRealm(server, mailServer.settings());
        accounts = new Accounts(realm);
        realm.admin()
                .update(
                        "/identity-provider/instances/" + WalkRealm.UP,
                        settings -> settings.remove("postBrokerLoginFlowAlias"));
    }

    @BeforeEach
    void openBrowser() {
        browser = new ScriptedBrowser(realm);
    }

    @Test
    void identityIsNotLinkedToWhoSignsInAtAnAddressWithASlash() {
        Person v = accounts.person("v", false);
        Identity ofV = accounts.identity(WalkRealm.AUTO, v, KEY);
        beginFirstLogin(v);
        browser.openLoginAction("authenticate/");
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(ofV);

        assertSignedInAndNotLinked(v);
    }

    /** If Keycloak had the page there too, the test above would need these addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"authenticate;a=b", "authenticat%65", "authenticate//"})
    void loginPageHasNoOtherAddress(String address) {
        beginFirstLogin(accounts.person("v", false));
        browser.openLoginAction(address);

        assertNotEquals(Page.Kind.NAME_AND_PASSWORD, browser.page().kind());
    }

    @Test
    void identityIsNotLinkedToWhoSignsInAfterAnotherProviderHasRefused() {
        Person v = accounts.person("v", false);
        Identity ofV = accounts.identity(WalkRealm.AUTO, v, KEY);
        beginFirstLogin(v);
        refuse();
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(ofV);

        assertSignedInAndNotLinked(v);
    }

    /** The mail is about another account than the one that the first login has found. */
    @Test
    void identityIsNotLinkedWithTheMailOfAnotherAccount() {
        Person own = accounts.person("own", false);
        Person v = accounts.person("v", false);
        Identity identity = accounts.unlinkedIdentity(WalkRealm.UP, "of-" + own.name(), KEY);
        String link = mailFor(identity, own);
        browser.openLoginAction("restart");
        mailFor(identity, v);
        agree(link);
        browser.openLoginAction("first-broker-login");

        assertNull(browser.answer());
        assertEquals(0, linked(v));
    }

    /** The provider gives a name that it has taken from one identity to another one. */
    @Test
    void identityIsNotLinkedWithTheMailAboutAnotherOneOfTheSameName() {
        assumeFalse(
                System.getProperty("keycloak.version").startsWith("26.5."), "The link tells no more than the name.");
        AdminApi provider = new AdminApi(server, realm.providerUrl(WalkRealm.UP).replaceAll(".*/", ""));
        provider.update("", settings -> settings.put("editUsernameAllowed", true));
        Person v = accounts.person("v", false);
        Identity first = accounts.unlinkedIdentity(WalkRealm.UP, "of-" + v.name(), KEY);
        Identity second = accounts.unlinkedIdentity(WalkRealm.UP, "other-than-" + v.name(), KEY);
        String link = mailFor(first, v);
        provider.update(
                "/users/" + first.subject(),
                user -> user.put("username", "former-" + first.name()).put("email", "former@example.org"));
        provider.update(
                "/users/" + second.subject(),
                user -> user.put("username", first.name()).put("email", v.address()));
        provider.post("/logout-all", Map.of());
        browser.openLoginAction("restart");
        browser.deleteCookie("KEYCLOAK_IDENTITY");
        browser.chooseProvider(WalkRealm.UP);
        browser.submit(Map.of("username", first.name(), "password", second.password()));
        browser.submit(Map.of("submitAction", "linkAccount"));
        agree(link);
        browser.openLoginAction("first-broker-login");

        assertNull(browser.answer());
        assertEquals(0, linked(v));
    }

    /** The owner has agreed to one identity, in another browser, and then another identity begins its first login. */
    @Test
    void identityIsNotLinkedBecauseTheOwnerHasAgreedToAnotherOne() {
        AdminApi provider = new AdminApi(server, realm.providerUrl(WalkRealm.UP).replaceAll(".*/", ""));
        Person v = accounts.person("v", false);
        Identity ofV = accounts.unlinkedIdentity(WalkRealm.UP, "own-" + v.name(), KEY);
        Identity other = accounts.unlinkedIdentity(WalkRealm.UP, "further-" + v.name(), KEY);
        agree(mailFor(ofV, v));
        provider.update("/users/" + ofV.subject(), user -> user.put("email", ofV.name() + "@example.org"));
        provider.update("/users/" + other.subject(), user -> user.put("email", v.address()));
        browser = new ScriptedBrowser(realm);
        browser.request(CLIENT, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(other);

        assertNull(browser.answer());
        assertEquals(0, linked(v));
    }

    @Test
    void identityIsLinkedWithTheMailOfTheAccount() {
        Person own = accounts.person("own", false);
        Identity identity = accounts.unlinkedIdentity(WalkRealm.UP, "of-" + own.name(), KEY);
        agree(mailFor(identity, own));
        browser.openLoginAction("first-broker-login");

        GateRealm.assertTold(browser, own.name(), KEY);
        assertEquals(1, linked(own));
    }

    /** An identity with this person's name begins its first login. */
    private void beginFirstLogin(Person person) {
        Identity identity = accounts.unlinkedIdentity(WalkRealm.UP, person.name(), KEY);
        browser.request(CLIENT, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);
        browser.sees(Page.Kind.LINK_ACCOUNT);
    }

    /** The provider of this name answers that the person did not sign in. */
    private void refuse() {
        browser.chooseProvider(WalkRealm.AUTO);
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        String state = Walk.parameter(browser.page().url(), "state");
        browser.open(realm.url() + "/broker/" + WalkRealm.AUTO + "/endpoint?error=access_denied&state=" + state);
    }

    /**
     * Begins the first login of an identity that has the address of this person, or begins it anew.
     *
     * @return the link of the mail to this person
     */
    private String mailFor(Identity identity, Person person) {
        AdminApi provider = new AdminApi(server, realm.providerUrl(WalkRealm.UP).replaceAll(".*/", ""));
        provider.update(provider.user(identity.name()), user -> user.put("email", person.address()));
        if (browser.page() == null) {
            browser.request(CLIENT, Map.of());
        }
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.submit(Map.of("submitAction", "linkAccount"));
        return mails.links(person.address()).get(0);
    }

    /** Opens the link of a mail in another browser, and agrees. */
    private void agree(String link) {
        ScriptedBrowser other = new ScriptedBrowser(realm);
        other.openMailLink(link);
        other.sees(Page.Kind.INFORMATION);
    }

    private void assertSignedInAndNotLinked(Person person) {
        GateRealm.assertTold(browser, person.name(), KEY);
        assertEquals(1, linked(person));
    }

    private int linked(Person person) {
        return realm.admin()
                .get(realm.admin().user(person.name()) + "/federated-identity")
                .size();
    }
}
