package io.github.checktoken.login.evidence;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.walk.oracle.Identity;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.Accounts;
import io.github.checktoken.walk.realm.WalkRealm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Tests an attack with a passkey, which only a real browser can use. Keycloak remembers in a login that a passkey was
 * used, but not whose it was.
 */
@ExtendWith(KeycloakExtension.class)
class SharedBrowserPasskeyAttacksIT {

    private final WalkRealm realm;
    private final Accounts accounts;
    private final ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH);
    private final SignInPage page = new SignInPage(browser);

    SharedBrowserPasskeyAttacksIT(KeycloakServer server) {
        realm = new WalkRealm(server, Map.of());
        accounts = new Accounts(realm);
        realm.admin().update("", json -> {
            json.put("webAuthnPolicyPasswordlessUserVerificationRequirement", "required");
            json.put("webAuthnPolicyPasswordlessPasskeysEnabled", true);
        });
        realm.admin()
                .update(
                        "/identity-provider/instances/" + WalkRealm.UP,
                        provider -> provider.put("postBrokerLoginFlowAlias", "password-after-provider"));
    }

    @AfterEach
    void cleanUp() {
        browser.close();
    }

    /**
     * A uses a passkey and is asked for the PIN. V signs in at the provider in the same login, and must be asked for
     * the password here.
     */
    @Test
    void passkeyOfAnotherDoesNotTakeThePlaceOfAPassword() {
        Person a = accounts.person("a", true, "webauthn-register-passwordless");
        Person v = accounts.person("v", true);
        Identity ofV = accounts.identity(v, Set.of("pwd"));
        page.withPasskeys();
        request();
        page.password(a.name(), a.password()).pin(a.pin()).register().callback();
        page.forgetSession();

        // The virtual passkey signs in as soon as a form accepts it.
        request();
        String pinForm = browser.find(By.cssSelector("form:has(#pin)")).getDomProperty("action");
        browser.open(pinForm.replace("/login-actions/authenticate", "/broker/" + WalkRealm.UP + "/login"));
        page.password(ofV.name(), ofV.password());

        assertEquals(v.name(), browser.find(By.id("kc-attempted-username")).getDomProperty("value"));
        browser.find(By.id("password"));
    }

    private void request() {
        page.open(realm.client("pin").request().without("acr_values"));
    }
}
