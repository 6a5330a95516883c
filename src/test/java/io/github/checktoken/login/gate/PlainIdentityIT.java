package io.github.checktoken.login.gate;

import java.util.Map;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** An identity of which the provider tells little is linked only to who has agreed to this identity. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainIdentityIT {

    private final GateRealm realm;
    private final MailServer mails;
    private final PlainOAuthProvider provider = new PlainOAuthProvider();
    private ScriptedBrowser browser;
    private Person v;

    PlainIdentityIT(KeycloakServer server, MailServer mailServer) {
        realm = new GateRealm(server, mailServer);
        mails = mailServer;
        realm.admin().create("/identity-provider/instances", provider.settings());
    }

    @AfterAll
    void closeProvider() {
        provider.close();
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        v = realm.accounts().person("v", false);
    }

    @Test
    void identityIsLinkedToWhoAgrees() {
        provider.signsIn("1", "somebody", v.address());
        signIn();
        confirm();
        agree();
        browser.openLoginAction("first-broker-login");

        realm.assertLinked(1, v);
    }

    @Test
    void identityWithoutANameIsNotLinkedBeforeAnybodyAgrees() {
        provider.signsIn("2", null, v.address());
        signIn();
        confirm();

        browser.sees(Page.Kind.REFUSED);
        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    /** V has agreed to an identity, and another one with V's address signs in for the first time. */
    @Test
    void agreementIsNotForAnotherIdentity() {
        provider.signsIn("3", "of-v", v.address());
        signIn();
        confirm();
        agree();
        browser = realm.browser();
        provider.signsIn("4", "of-another", v.address());
        signIn();

        browser.sees(Page.Kind.REFUSED);
        realm.assertLinked(0, v);
        realm.assertNotSignedIn(v);
    }

    private void signIn() {
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.chooseProvider(PlainOAuthProvider.ALIAS);
    }

    private void confirm() {
        browser.sees(Page.Kind.LINK_ACCOUNT);
        browser.submit(Map.of("submitAction", "linkAccount"));
    }

    /** V opens the link of the mail in another browser, and agrees. */
    private void agree() {
        ScriptedBrowser other = realm.browser();
        other.openMailLink(mails.links(v.address()).get(0));
        other.sees(Page.Kind.INFORMATION);
    }
}
