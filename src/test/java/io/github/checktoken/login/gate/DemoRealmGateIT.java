package io.github.checktoken.login.gate;

import java.util.List;
import java.util.Map;

import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.walk.browser.Form;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** In the demo realm, a login ends for the person who proved something, and not for V, whose name is entered. */
@ExtendWith(KeycloakExtension.class)
class DemoRealmGateIT {

    private static final String PROVIDER = "identity-provider";
    private static final String PIN = "271828";

    /** The way to sign in that begins with the username alone. */
    private static final int SECURITY_KEY = 1;

    private final Federation federation;
    private final AdminApi admin;
    private final ScriptedBrowser browser;
    private final DemoPerson a;
    private final DemoPerson v;

    DemoRealmGateIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.browser = new ScriptedBrowser(
                federation.url(), client -> client.equals("sp-town") ? federation.town() : federation.bank());
        this.a =
                new DemoPerson(admin, List.of(DemoPerson.PASSWORD, StoredSecret.slowCredential("pin", PIN)), List.of());
        this.v = new DemoPerson(
                admin, List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", "518263")), List.of());
    }

    @BeforeEach
    void linkToProvider() {
        String subject = new AdminApi(federation.server(), federation.upstream())
                .create(
                        "/users",
                        Map.of(
                                "username",
                                a.name(),
                                "enabled",
                                true,
                                "email",
                                a.name() + "@example.org",
                                "firstName",
                                "Claude",
                                "lastName",
                                "Martin",
                                "credentials",
                                List.of(DemoPerson.PASSWORD)));
        admin.post(
                admin.user(a.name()) + "/federated-identity/" + PROVIDER,
                Map.of("userId", subject, "userName", a.name()));
    }

    @AfterEach
    void deletePersons() {
        a.close();
        v.close();
    }

    @Test
    void aLoginAtAProviderEndsForThePersonWhoSignedInThere() {
        browser.request("sp-town", Map.of());
        browser.tryAnotherWay(SECURITY_KEY);
        browser.sees(Page.Kind.NAME);
        Form form = browser.page().form();
        browser.chooseProvider(PROVIDER);
        browser.doNotFollow("/login-actions/post-broker-login");
        signInAtTheProvider();
        browser.doNotFollow("/broker/after-post-broker-login");
        browser.openLoginAction("post-broker-login", form);
        browser.submitLater(form, Map.of("username", v.name()));
        browser.openLoginAction("post-broker-login");

        assertNotSignedIn();
    }

    @Test
    void aPinThatIsChangedCountsForItsOwner() {
        browser.request("sp-town", Map.of("kc_action", "configure-pin"));
        browser.chooseProvider(PROVIDER);
        signInAtTheProvider();
        browser.sees(Page.Kind.NEW_PIN);
        Map<String, String> change = Map.of("pin-current", PIN, "pin-new", "739154", "pin-confirm", "739154");
        RequestInFlight.during(browser, change, RequestInFlight.BEGUN_MILLIS, () -> {
            if (browser.shows(Page.Kind.NAME_AND_PASSWORD)) {
                browser.tryAnotherWay(SECURITY_KEY);
                browser.submit(Map.of("username", v.name()));
            }
        });

        assertNotSignedIn();
    }

    private void signInAtTheProvider() {
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        browser.submit(Map.of("username", a.name(), "password", DemoPerson.PASSWORD.get("value")));
    }

    private void assertNotSignedIn() {
        assertEquals(0, admin.get(admin.user(v.name()) + "/sessions").size(), "sessions");
    }
}
