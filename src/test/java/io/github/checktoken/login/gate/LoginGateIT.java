package io.github.checktoken.login.gate;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A flow that asks for a username alone proves nothing. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginGateIT {

    private static final String CLIENT = "pin";
    private static final String SILENT_CLIENT = "federation";

    private final GateRealm realm;
    private final MailServer mails;
    private ScriptedBrowser browser;

    LoginGateIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        mails = mailServer;
        realm.bind(CLIENT, "name-only");
        realm.admin().update("", settings -> {
            settings.put("eventsEnabled", true);
            settings.putArray("enabledEventTypes").add("LOGIN_ERROR");
        });
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        setAttribute(LoginGuard.REALM_ATTRIBUTE, "");
        setAttribute(LoginGuard.ACCEPTS_UNGUARDED, "");
    }

    @Test
    void loginInWhichNothingWasProvedIsRefused() {
        Person v = realm.accounts().person("v", false);
        enterName(v);

        browser.sees(Page.Kind.REFUSED);
        realm.assertNotSignedIn(v);
        assertEquals(
                "[\"" + LoginRefusal.ERROR + "\"]",
                realm.admin()
                        .get("/events?type=LOGIN_ERROR&user="
                                + realm.admin().user(v.name()).replace("/users/", ""))
                        .findValues("error")
                        .toString());
    }

    @Test
    void requiredActionIsNotShownToWhoHasProvedNothing() {
        Person v = realm.accounts().person("v", false, "UPDATE_PASSWORD");
        enterName(v);

        browser.sees(Page.Kind.REFUSED);
        browser.openLoginAction("required-action");
        browser.sees(Page.Kind.EXPIRED);
    }

    /** OpenID Connect Core 3.1.2.6: the answer is for the client, and no page. */
    @Test
    void silentRequestInWhichNothingWasProvedIsAnsweredToTheClient() {
        Person v = realm.accounts().person("v", false);
        realm.bind(SILENT_CLIENT, "name-in-request");
        String request =
                realm.client(SILENT_CLIENT).request().with("prompt", "none").url();
        HttpResponse<String> answer = Http.send(Http.form(
                request.substring(0, request.indexOf('?')),
                request.substring(request.indexOf('?') + 1) + "&username=" + v.name()));

        assertEquals(302, answer.statusCode());
        assertEquals(
                "login_required",
                Walk.parameter(answer.headers().firstValue("Location").orElseThrow(), "error"));
        realm.assertNotSignedIn(v);
    }

    @Test
    void whoWasRefusedCanBeginAnew() {
        Person v = realm.accounts().person("v", false);
        enterName(v);
        browser.openLoginAction("authenticate");

        browser.sees(Page.Kind.NAME);
    }

    @Test
    void realmCanOpenTheGate() {
        setAttribute(LoginGuard.REALM_ATTRIBUTE, "off");
        Person v = realm.accounts().person("v", false);
        enterName(v);

        GateRealm.assertTold(browser, v.name(), Set.of());
    }

    /** What was proved is not told, because nobody watches whose proof it is. */
    @Test
    void realmWithAnOpenGateIsToldNothing() {
        setAttribute(LoginGuard.REALM_ATTRIBUTE, "off");
        Person v = realm.accounts().person("v", false);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));

        GateRealm.assertTold(browser, v.name(), Set.of());
    }

    @Test
    void realmCanAcceptAnOpenGate() {
        setAttribute(LoginGuard.REALM_ATTRIBUTE, "off");
        setAttribute(LoginGuard.ACCEPTS_UNGUARDED, "true");
        Person v = realm.accounts().person("v", false);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));

        GateRealm.assertTold(browser, v.name(), Set.of("pwd"));
    }

    /** Somebody has left the first login of the further identity, which has the name of A, at the other provider. */
    @Test
    void identityIsNotLinkedByALoginAtAnotherProvider() {
        Person a = realm.accounts().person("a", false);
        Identity known = realm.accounts().identity(WalkRealm.AUTO, a, Set.of("otp"));
        Identity further = realm.accounts().unlinkedIdentity(WalkRealm.UP, a.name(), Set.of("pop"));
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(further);
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.submit(Map.of("submitAction", "linkAccount"));
        browser.openLoginAction("first-broker-login");
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(known);

        GateRealm.assertTold(browser, a.name(), Set.of("otp"));
        realm.assertLinked(1, a);
    }

    /** The flow asks others for a code after the link of the mail. */
    @Test
    void identityIsLinkedByTheMailIfTheFlowAsksThisPersonForNoMore() {
        Person a = realm.accounts().person("a", false);
        Identity further = realm.accounts().unlinkedIdentity(WalkRealm.UP, a.name(), Set.of("pop"));
        realm.withFirstLogin("first-login-with-code-for-some", () -> {
            browser.request(GateRealm.BUILT_IN, Map.of());
            browser.chooseProvider(WalkRealm.UP);
            browser.signIn(further);
            browser.submit(Map.of("submitAction", "linkAccount"));
            browser.open(mails.links(a.address()).get(0));

            GateRealm.assertTold(browser, a.name(), Set.of("pop"));
        });
        realm.assertLinked(1, a);
    }

    /** The first login has found the account, but its owner signs in on the login page and was not asked about the identity. */
    @Test
    void identityIsNotLinkedByALoginOnTheLoginPage() {
        Person v = realm.accounts().person("v", false);
        Identity own = realm.accounts().identity(WalkRealm.AUTO, v, Set.of("pop"));
        Identity further = realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), Set.of("pop"));
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(further);
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.openLoginAction("reset-credentials");
        browser.openLoginAction("authenticate");
        browser.chooseProvider(WalkRealm.AUTO);
        browser.signIn(own);

        GateRealm.assertTold(browser, v.name(), Set.of("pop"));
        realm.assertLinked(1, v);
    }

    @Test
    void loginDoesNotEndBeforeTheRequiredAction() {
        Person v = realm.accounts().person("v", false, "UPDATE_PASSWORD");
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));
        browser.sees(Page.Kind.NEW_PASSWORD);
        consent();

        browser.sees(Page.Kind.EXPIRED);
        realm.assertNotSignedIn(v);
    }

    /** An administrator has sent the link, which does not sign in whoever opens it. */
    @Test
    void linkToARequiredActionSignsNobodyIn() {
        Person v = realm.accounts().person("v", false);
        browser.openMailLink(linkToANewPassword(v));
        browser.sees(Page.Kind.NEW_PASSWORD);
        consent();

        browser.sees(Page.Kind.EXPIRED);
        realm.assertNotSignedIn(v);
    }

    /** The login begins anew before the link is confirmed. */
    @Test
    void linkToARequiredActionSignsNobodyInAfterARestart() {
        Person v = realm.accounts().person("v", false);
        browser.open(linkToANewPassword(v));
        browser.sees(Page.Kind.INFORMATION);
        String confirmation = browser.page().links().stream()
                .filter(link -> link.contains("/action-token"))
                .findFirst()
                .orElseThrow();
        browser.open(loginAction("restart", confirmation));
        browser.open(confirmation);
        browser.sees(Page.Kind.NEW_PASSWORD);
        browser.submit(Map.of("password-new", "new-password", "password-confirm", "new-password"));

        browser.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** Keycloak has mailed the link because the password was right, and then somebody else goes on in this tab. */
    @Test
    void linkThatVerifiesAnAddressSignsNobodyInAfterARestart() {
        Person v = realm.accounts().person("v", false, "VERIFY_EMAIL");
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.submit(GateRealm.nameAndPassword(v));
        browser.openLoginAction("restart");
        browser.open(mails.links(v.address()).get(0));

        browser.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** As above, and the login is to approve a device. */
    @Test
    void linkThatVerifiesAnAddressApprovesNoDevice() {
        Person v = realm.accounts().person("v", false, "VERIFY_EMAIL");
        JsonNode device = Http.json(realm.client(GateRealm.BUILT_IN)
                .post("/protocol/openid-connect/auth/device", Map.of("scope", "openid")));
        browser.open(device.get("verification_uri_complete").asText());
        browser.submit(GateRealm.nameAndPassword(v));
        browser.open(loginAction("restart", browser.page().url()));
        browser.open(mails.links(v.address()).get(0));

        browser.sees(Page.Kind.INFORMATION);
        realm.assertNotSignedIn(v);
    }

    /** The account is found by a name that the provider has not told. */
    @Test
    void identityIsNotLinkedByANameTypedInTheReview() {
        Person v = realm.accounts().person("v", false);
        Identity own = realm.accounts().unlinkedIdentity(WalkRealm.UP, "own-" + v.name(), Set.of("pop"));
        realm.withFirstLogin("auto-link-after-review", () -> {
            reviewAs(own);
            browser.submit(Map.of("username", v.name(), "firstName", "Camille", "lastName", "Moreau"));

            browser.sees(Page.Kind.REFUSED);
        });
        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    private void reviewAs(Identity identity) {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);
        browser.sees(Page.Kind.PROFILE);
    }

    /** As above, but Keycloak shows the review twice, and at the second time the address is not typed but already there. */
    @Test
    void identityIsNotLinkedByAnAddressTypedInAnEarlierReview() {
        Person v = realm.accounts().person("v", false);
        Identity own = realm.accounts().unlinkedIdentity(WalkRealm.UP, "own-" + v.name(), Set.of("pop"));
        realm.withFirstLogin("auto-link-after-confirmation", () -> {
            reviewAs(own);
            browser.submit(Map.of("email", v.address(), "firstName", "Camille", "lastName", "Moreau"));
            browser.sees(Page.Kind.LINK_ACCOUNT);
            browser.submit(Map.of("submitAction", "updateProfile"));
            browser.sees(Page.Kind.PROFILE);
            browser.submit(Map.of());
            browser.sees(Page.Kind.LINK_ACCOUNT);
            browser.submit(Map.of("submitAction", "linkAccount"));

            browser.sees(Page.Kind.REFUSED);
        });
        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    /** The first login has found the account, and its further step is left for a flow that asks for the name alone. */
    @Test
    void firstLoginThatWasLeftProvesNothing() {
        Person v = realm.accounts().person("v", true);
        Identity own = realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), Set.of("pop"));
        realm.withFirstLogin("auto-link-with-pin", () -> {
            browser.request(CLIENT, Map.of());
            browser.chooseProvider(WalkRealm.UP);
            browser.signIn(own);
            browser.sees(Page.Kind.PIN);
            browser.openLoginAction("authenticate");

            browser.sees(Page.Kind.REFUSED);
        });
        realm.assertNotSignedIn(v);
    }

    /** The provider tells another name than when the identity was linked, and no method. */
    @Test
    void personWhoseNameAtTheProviderHasChangedChoosesAPin() {
        Person a = realm.accounts().person("a", false, "configure-pin");
        Identity identity = realm.accounts().unlinkedIdentity(WalkRealm.UP, "now-" + a.name(), Set.of());
        realm.admin()
                .post(
                        realm.admin().user(a.name()) + "/federated-identity/" + WalkRealm.UP,
                        Map.of("userId", identity.subject(), "userName", "before-" + a.name()));
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(identity);

        browser.sees(Page.Kind.NEW_PIN);
    }

    /** The browser had begun a login before the administrator's session, so the login ends in a session of its own. */
    @Test
    void loginThatContinuesAnImpersonatedSessionSaysSo() {
        realm.tellSessionNote(CLIENT, "IMPERSONATOR_ID");
        Person v = realm.accounts().person("v", false);
        browser.request(CLIENT, Map.of());
        browser.impersonate(realm.admin(), v);
        browser.submit(Map.of("username", v.name()));

        JsonNode claims = browser.redeem();
        assertEquals(v.name(), claims.path("preferred_username").asText());
        assertTrue(claims.hasNonNull("IMPERSONATOR_ID"), claims::toString);
    }

    @Test
    void administratorWhoImpersonatesChoosesNoPin() {
        Person v = realm.accounts().person("v", false, "configure-pin");
        browser.impersonate(realm.admin(), v);
        browser.request(GateRealm.BUILT_IN, Map.of());

        assertFalse(browser.shows(Page.Kind.NEW_PIN));
    }

    /** The account is disabled, so the provider's login is refused, and then the person signs in otherwise. */
    @Test
    void sessionSaysNothingOfALoginAtAProviderThatWasRefused() {
        realm.tellSessionNote(GateRealm.BUILT_IN, "from-up");
        realm.admin()
                .post(
                        "/identity-provider/instances/" + WalkRealm.UP + "/mappers",
                        Map.of(
                                "name",
                                "from-up",
                                "identityProviderAlias",
                                WalkRealm.UP,
                                "identityProviderMapper",
                                "hardcoded-user-session-attribute-idp-mapper",
                                "config",
                                Map.of("syncMode", "FORCE", "attribute", "from-up", "attribute.value", "yes")));
        Person disabled = realm.accounts().person("disabled", false);
        Identity ofDisabled = realm.accounts().identity(disabled, Set.of("pop"));
        realm.accounts().disable(disabled);
        Person a = realm.accounts().person("a", false);
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(WalkRealm.UP);
        browser.signIn(ofDisabled);
        browser.sees(Page.Kind.ERROR);
        browser.openLoginAction("authenticate");
        browser.submit(GateRealm.nameAndPassword(a));

        JsonNode claims = browser.redeem();
        assertEquals(a.name(), claims.path("preferred_username").asText());
        assertFalse(claims.has("from-up"), claims::toString);

        ScriptedBrowser afterTheName = realm.browser();
        realm.tellSessionNote("username-password", "from-up");
        afterTheName.request("username-password", Map.of());
        afterTheName.submit(Map.of("username", a.name()));
        afterTheName.sees(Page.Kind.PASSWORD);
        afterTheName.chooseProvider(WalkRealm.UP);
        afterTheName.signIn(ofDisabled);
        afterTheName.sees(Page.Kind.ERROR);
        afterTheName.openLoginAction("authenticate");
        afterTheName.submit(Map.of("password", a.password()));
        assertFalse(afterTheName.redeem().has("from-up"));

        ScriptedBrowser other = realm.browser();
        Person b = realm.accounts().person("b", false);
        Identity ofB = realm.accounts().identity(b, Set.of("pop"));
        other.request(GateRealm.BUILT_IN, Map.of());
        other.chooseProvider(WalkRealm.UP);
        other.signIn(ofB);
        assertEquals("yes", other.redeem().path("from-up").asText());
    }

    /** An administrator sends the link. */
    private String linkToANewPassword(Person person) {
        realm.admin()
                .put(
                        realm.admin().user(person.name()) + "/execute-actions-email?client_id=" + GateRealm.BUILT_IN
                                + "&redirect_uri=" + WalkRealm.CALLBACK,
                        List.of("UPDATE_PASSWORD"));
        return mails.links(person.address()).get(0);
    }

    /** Consents without the page that asks for it. */
    private void consent() {
        String address = loginAction("consent", browser.page().form().action());
        browser.submitLater(new Form(address, Map.of(), List.of()), Map.of("accept", "Yes"));
    }

    /** @param tab an address with the tab of the login */
    private String loginAction(String action, String tab) {
        return realm.url() + "/login-actions/" + action + "?client_id=" + GateRealm.BUILT_IN + "&tab_id="
                + Walk.parameter(tab, "tab_id");
    }

    /** A link to the reset of credentials begins a login without a protocol. */
    @Test
    void loginThatBeginsAtALinkIsRefusedToo() {
        Person v = realm.accounts().person("v", false);
        withResetThatProvesNothing(() -> {
            browser.open(realm.url() + "/login-actions/reset-credentials?client_id=" + CLIENT);
            browser.sees(Page.Kind.RESET);
            browser.submit(Map.of("username", v.name()));

            browser.sees(Page.Kind.REFUSED);
        });
    }

    /** The first login has found the account, and whoever signs in says to have forgotten its password. */
    @Test
    void identityIsNotLinkedByAResetThatProvesNothing() {
        Person v = realm.accounts().person("v", false);
        Identity further = realm.accounts().unlinkedIdentity(WalkRealm.UP, v.name(), Set.of("pop"));
        withResetThatProvesNothing(() -> {
            browser.request(GateRealm.BUILT_IN, Map.of());
            browser.chooseProvider(WalkRealm.UP);
            browser.signIn(further);
            browser.sees(Page.Kind.LINK_ACCOUNT);
            browser.openLoginAction("reset-credentials");
            browser.sees(Page.Kind.RESET);
            browser.submit(Map.of("username", v.name()));

            browser.sees(Page.Kind.REFUSED);
        });
        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    private void withResetThatProvesNothing(Runnable steps) {
        String before = realm.admin().get("").get("resetCredentialsFlow").asText();
        realm.admin().update("", settings -> settings.put("resetCredentialsFlow", "reset-with-nothing"));
        try {
            steps.run();
        } finally {
            realm.admin().update("", settings -> settings.put("resetCredentialsFlow", before));
        }
    }

    private void enterName(Person person) {
        browser.request(CLIENT, Map.of());
        browser.sees(Page.Kind.NAME);
        browser.submit(Map.of("username", person.name()));
    }

    private void setAttribute(String name, String value) {
        realm.admin().update("", settings -> settings.withObject("/attributes").put(name, value));
    }
}
