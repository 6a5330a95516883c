package io.github.checktoken.login.amr;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.flow.AuthenticatorReference;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests what amr reports for passkeys and security keys, with complete WebAuthn ceremonies in a real browser. */
@ExtendWith(KeycloakExtension.class)
class AmrWebAuthnIT {

    private static final String PIN = "271828";

    private final Federation federation;
    private final ServiceProvider town;
    private final AdminApi admin;
    private final ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH);
    private final SignInPage page = new SignInPage(browser);

    AmrWebAuthnIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.admin = federation.admin();
    }

    @AfterEach
    void closeBrowser() {
        browser.close();
    }

    @Test
    void passkeyOnThePasswordFormIsPopAndMfa() {
        try (DemoPerson person = personWithPasskey()) {
            open();
            assertAmr("fc pop mfa");
        }
    }

    @Test
    void registeringAPasskeyIsNotUsingIt() {
        try (DemoPerson person = person("webauthn-register-passwordless")) {
            page.withPasskeys();
            open().password(person.name()).register();
            assertAmr("fc pwd");
        }
    }

    /** With "preferred", Keycloak accepts a passkey that did not verify the user, and does not record if it did. */
    @Test
    void passkeyIsPopAloneWhereThePolicyDoesNotRequireUserVerification() {
        String setting = "webAuthnPolicyPasswordlessUserVerificationRequirement";
        admin.update("", realm -> realm.put(setting, "preferred"));
        try (DemoPerson person = personWithPasskey()) {
            open();
            assertAmr("fc pop");
        } finally {
            admin.update("", realm -> realm.put(setting, "required"));
        }
    }

    @Test
    void referenceOnThePasswordFormSaysNothingOfAPasskey() {
        Map<String, String> reference = Map.of("default.reference.value", "pin");
        try (AuthenticatorReference form = new AuthenticatorReference(admin, "auth-username-password-form", reference);
                DemoPerson person = personWithPasskey()) {
            open();
            assertAmr("fc pop mfa");
        }
    }

    @Test
    void securityKeyAndPinArePopPinAndMfa() {
        try (DemoPerson person = person("webauthn-register", "configure-pin")) {
            page.withSecurityKey();
            open().password(person.name()).register().choosePin(PIN);
            assertAmr("fc pwd");
            open().tryAnotherWay("Security key and PIN")
                    .username(person.name())
                    .securityKey()
                    .pin(PIN);
            assertAmr("fc pop pin mfa");
        }
    }

    /** The user is asked for the password, and not to choose a PIN. */
    @Test
    void securityKeyWithoutAPinLeadsToThePassword() {
        try (DemoPerson person = person("webauthn-register")) {
            page.withSecurityKey();
            open().password(person.name()).register().callback();
            open().tryAnotherWay("Security key and PIN")
                    .username(person.name())
                    .securityKey()
                    .knownPassword();
            assertAmr("fc pwd pop mfa");
        }
    }

    private SignInPage open() {
        page.forgetSession();
        return page.open(town.request().askingForAmr());
    }

    private DemoPerson person(String... requiredActions) {
        return new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of(requiredActions));
    }

    private DemoPerson personWithPasskey() {
        DemoPerson person = person("webauthn-register-passwordless");
        page.withPasskeys();
        open().password(person.name()).register().callback();
        return person;
    }

    /** Checks the amr of the ID token, and that the ID token and the answer of checktoken both have the acr eidas1. */
    private void assertAmr(String amr) {
        Tokens tokens = town.redeem(page.callback());
        assertEquals(amr, tokens.amr());
        assertEquals("eidas1", tokens.acr());
        assertEquals(
                "eidas1",
                federation.tax().check(tokens.accessToken()).introspection().get("acr"));
    }
}
