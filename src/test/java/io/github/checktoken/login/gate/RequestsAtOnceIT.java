package io.github.checktoken.login.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.Walk;
import io.github.checktoken.walk.browser.Page;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * While the server checks a secret of A, the login of the same tab begins anew and V is named. What A has entered counts
 * for A or for nobody.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsAtOnceIT {

    private static final int TRIES = 75;

    private final GateRealm realm;
    private final MailServer mailServer;
    private ScriptedBrowser browser;

    RequestsAtOnceIT(KeycloakServer server, MailServer mailServer) {
        this.mailServer = mailServer;
        this.realm = new GateRealm(server, mailServer);
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
    }

    @Test
    void passwordCountsForWhoEnteredIt() {
        Person a = realm.accounts().personWithSlowPassword("a");
        Person v = realm.accounts().person("v", false);
        browser.request("ways", Map.of());
        browser.submit(Map.of("username", a.name()));
        browser.sees(Page.Kind.PASSWORD);
        meanwhile(
                browser,
                Map.of("password", a.password()),
                RequestInFlight.BEGUN_MILLIS,
                Page.Kind.NAME,
                Map.of("username", v.name()));

        realm.assertNotSignedIn(v);
    }

    @Test
    void pinCountsForWhoEnteredIt() {
        Person a = realm.accounts().personWithSlowPin("a");
        Person v = realm.accounts().person("v", true);
        browser.request("pin", Map.of());
        browser.submit(GateRealm.nameAndPassword(a));
        browser.sees(Page.Kind.PIN);
        meanwhile(
                browser,
                Map.of("pin", a.pin()),
                RequestInFlight.BEGUN_MILLIS,
                Page.Kind.NAME_AND_PASSWORD,
                GateRealm.nameAndPassword(v));

        realm.assertNotSignedIn(v);
    }

    /** The second request names the authentication session of another browser, too. It waits all the same. */
    @Test
    void requestThatNamesAnotherSessionWaits() {
        Person a = realm.accounts().personWithSlowPin("a");
        ScriptedBrowser other = realm.browser();
        other.request("pin", Map.of());
        browser.request("pin", Map.of());
        browser.submit(GateRealm.nameAndPassword(a));
        browser.sees(Page.Kind.PIN);
        RequestInFlight.during(
                browser,
                Map.of("pin", a.pin()),
                RequestInFlight.BEGUN_MILLIS,
                () -> browser.openLoginAction("restart", other),
                () -> {});

        GateRealm.assertTold(browser, a.name(), Set.of("pwd", "pin"));
    }

    /** The mail of a reset forks the tab. A link with the address of the fork goes on in the tab that was forked. */
    @Test
    void linkThatNamesTheForkOfATabWaits() {
        Person a = realm.accounts().person("a", false);
        Person v = realm.accounts().personWithSlowPassword("v");
        browser.request(GateRealm.BUILT_IN, Map.of());
        browser.openLoginAction("reset-credentials");
        browser.submit(Map.of("username", a.name()));
        String fork = Walk.parameter(browser.page().form().action(), "tab_id");
        String link = mailServer.links(a.address()).get(0).replaceFirst("tab_id=[^&]+", "tab_id=" + fork);
        browser.openLoginAction("restart");
        browser.sees(Page.Kind.NAME_AND_PASSWORD);
        RequestInFlight.during(
                browser,
                GateRealm.nameAndPassword(v),
                RequestInFlight.BEGUN_MILLIS,
                () -> browser.open(link),
                () -> {});

        GateRealm.assertTold(browser, v.name(), Set.of("pwd"));
    }

    @Test
    void pinIsChangedOnlyByItsOwner() {
        Person a = realm.accounts().personWithSlowPin("a");
        Person v = realm.accounts().person("v", true);
        browser.request("ways", Map.of("kc_action", "configure-pin"));
        browser.submit(Map.of("username", a.name()));
        browser.sees(Page.Kind.PASSWORD);
        browser.submit(Map.of("password", a.password()));
        browser.sees(Page.Kind.NEW_PIN);
        meanwhile(
                browser,
                Map.of("pin-current", a.pin(), "pin-new", "739154", "pin-confirm", "739154"),
                RequestInFlight.BEGUN_MILLIS,
                Page.Kind.NAME,
                Map.of("username", v.name()));

        realm.assertNotSignedIn(v);
    }

    @Test
    void passwordIsReplacedOnlyByItsOwner() {
        Person a = realm.accounts().person("a", false, "UPDATE_PASSWORD");
        Person v = realm.accounts().person("v", false);
        browser.request("ways", Map.of());
        browser.submit(Map.of("username", a.name()));
        browser.submit(Map.of("password", a.password()));
        browser.sees(Page.Kind.NEW_PASSWORD);
        whileNewPasswordsAreHashedForSeconds(() -> meanwhile(
                browser,
                Map.of("password-new", "new", "password-confirm", "new"),
                RequestInFlight.BEGUN_MILLIS,
                Page.Kind.NAME,
                Map.of("username", v.name())));

        realm.assertNotSignedIn(v);
        realm.assertPasswordKept(v);
    }

    @Test
    void registrationEndsForTheNewAccount() {
        Person v = realm.accounts().person("v", false);
        browser.request("ways", Map.of());
        browser.openLoginAction("registration");
        browser.sees(Page.Kind.REGISTRATION);
        Map<String, String> account = Map.of(
                "username", "new-account",
                "password", "new-password",
                "password-confirm", "new-password",
                "email", "new-account@example.org",
                "firstName", "Camille",
                "lastName", "Moreau");
        whileNewPasswordsAreHashedForSeconds(() -> meanwhile(
                browser, account, RequestInFlight.BEGUN_MILLIS, Page.Kind.NAME, Map.of("username", v.name())));

        realm.assertNotSignedIn(v);
    }

    /** The check of a code takes milliseconds, so many people try it at once, each after another delay. */
    @Test
    void codeCountsForWhoEnteredIt() {
        List<Person> vs = new ArrayList<>();
        List<CompletableFuture<Void>> tries = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < TRIES; i++) {
            Person a = realm.accounts().person("a", false);
            Person v = realm.accounts().person("v", false);
            int delay = i % 25;
            vs.add(v);
            tries.add(CompletableFuture.runAsync(() -> enterCodeAndBeginAnew(a, v, delay), threads));
        }
        tries.forEach(CompletableFuture::join);
        threads.shutdown();

        vs.forEach(realm::assertNotSignedIn);
    }

    private void enterCodeAndBeginAnew(Person a, Person v, int millis) {
        ScriptedBrowser browser = realm.browser();
        browser.request("password-mail", Map.of());
        browser.submit(GateRealm.nameAndPassword(a));
        browser.sees(Page.Kind.MAIL_CODE);
        meanwhile(
                browser,
                Map.of("code", mailServer.newestCode(a.address()).orElseThrow()),
                millis,
                Page.Kind.NAME_AND_PASSWORD,
                GateRealm.nameAndPassword(v));
    }

    private static void meanwhile(
            ScriptedBrowser browser, Map<String, String> ofA, int millis, Page.Kind form, Map<String, String> ofV) {
        RequestInFlight.during(browser, ofA, millis, () -> {
            if (browser.shows(form)) {
                browser.submit(ofV);
            }
        });
    }

    private void whileNewPasswordsAreHashedForSeconds(Runnable steps) {
        String policy = realm.admin().get("").get("passwordPolicy").asText();
        passwordPolicy("hashAlgorithm(pbkdf2-sha256) and hashIterations(300000)");
        try {
            steps.run();
        } finally {
            passwordPolicy(policy);
        }
    }

    private void passwordPolicy(String policy) {
        realm.admin().update("", settings -> settings.put("passwordPolicy", policy));
    }
}
