package io.github.checktoken.login.emailcode;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the code in a flow that resets credentials. Its pages must not tell a stranger who has an account. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmailCodeResetIT {

    private static final String SENT_ANEW =
            "If what you entered belongs to an account with a verified e\u2011mail address, a new code is on its way.";

    private static final Map<String, String> RESEND = Map.of("resend", "");

    private final KeycloakServer server;
    private final EmailCodeRealm realm;
    private final MailServer mailServer;
    private Person person;

    EmailCodeResetIT(KeycloakServer server, EmailCodeRealm realm, MailServer mailServer) {
        this.server = server;
        this.realm = realm;
        this.mailServer = mailServer;
    }

    @BeforeEach
    void newPerson() {
        realm.settings(Map.of());
        person = realm.person();
    }

    @Test
    void rightCodeLeadsToANewPasswordAndSignsIn() {
        Browser browser = new Browser(server);
        HttpResponse<String> page = start(browser, person.username());
        page = browser.submit(page, Map.of("code", realm.wrongCodeFor(person)));
        page = browser.submit(page, Map.of("code", realm.codeOf(person)));
        assertHas("#password-new", page);

        HttpResponse<String> redirect =
                browser.submit(page, Map.of("password-new", "new-password", "password-confirm", "new-password"));
        assertNotNull(realm.serviceProvider().redeem(redirect).accessToken());
        Browser other = new Browser(server);
        assertShows("Invalid username or password.", realm.signIn(other, person));
    }

    @Test
    void mailSaysWhatTheCodeIsForAndThatItCanBeIgnored() {
        start(new Browser(server), person.username());
        MailServer.Mail mail = realm.mailsTo(person).get(0);

        assertEquals("Your code from Post office", mail.subject());
        for (String part : List.of(mail.text(), mail.html())) {
            assertTrue(part.contains("Enter this code to reset your access to Post office:"), part);
            assertTrue(part.contains("If you did not ask for it, ignore this e-mail"), part);
            assertFalse(part.contains("Change it."), part);
        }
    }

    /** Each page, from the first to the last, must be the same for everybody. */
    @Test
    void everybodyReadsTheSame() {
        realm.settings(Map.of("maxCodesPerHour", "2"));
        Map<String, String> names = strangersAndThePerson();
        Map<String, Browser> browsers = new LinkedHashMap<>();
        Map<String, HttpResponse<String>> pages = new LinkedHashMap<>();
        names.forEach((who, name) -> {
            browsers.put(who, new Browser(server));
            pages.put(who, start(browsers.get(who), name));
        });
        assertSame(pages, names, "If what you entered belongs to an account with a verified e‑mail address");
        assertEquals(1, realm.mailsTo(person).size());

        submitAll(browsers, pages, RESEND);
        assertSame(pages, names, "No new code was sent, because the last one was sent only a moment ago.");
        pages.replaceAll((who, page) -> browsers.get(who).get(page.uri().toString()));
        assertSame(pages, names, "id=\"code\"");
        submitAll(browsers, pages, Map.of("code", " "));
        assertSame(pages, names, "Enter the code from the e-mail.");
        for (int i = 0; i < 2; i++) {
            submitAll(browsers, pages, Map.of("code", wrong()));
            assertSame(pages, names, "This code is not right.");
        }
        submitAll(browsers, pages, Map.of("code", wrong()));
        assertSame(pages, names, "There were too many wrong tries");
        submitAll(browsers, pages, Map.of("code", wrong()));
        assertSame(pages, names, "There were too many wrong tries");

        realm.settings(Map.of("maxCodesPerHour", "2", "resendWait", "0"));
        for (int i = 0; i < 2; i++) {
            submitAll(browsers, pages, RESEND);
            assertSame(pages, names, SENT_ANEW);
        }
        assertEquals(
                2, realm.mailsTo(person).size(), "the second new code must not be sent, because it is over the limit");
        submitAll(browsers, pages, Map.of("code", wrong()));
        assertSame(pages, names, "This code is not right.");

        realm.settings(Map.of("lifespan", "1", "maxCodesPerHour", "3", "resendWait", "0"));
        submitAll(browsers, pages, RESEND);
        Waiting.untilAllIsOlderThan(0);
        submitAll(browsers, pages, Map.of("code", wrong()));
        assertSame(pages, names, "The code has expired. Ask for a new code.");
    }

    @Test
    void everybodyReadsTheSameWhenTheMailServerIsDown() {
        Map<String, String> names = strangersAndThePerson();
        Map<String, HttpResponse<String>> pages = new LinkedHashMap<>();
        realm.mailServer(mailServer.settingsOfNone());
        try {
            names.forEach((who, name) -> pages.put(who, start(new Browser(server), name)));
        } finally {
            realm.mailServer(mailServer.settings());
        }
        assertSame(pages, names, "id=\"code\"");
        assertEquals(List.of("email_send_failed"), realm.errors(person, "RESET_PASSWORD_ERROR"));
    }

    @Test
    void guessesAtACodeOfNobodyLockNobody() {
        Person locked = realm.person();
        realm.admin().update(locked.path(), user -> user.put("emailVerified", false));
        Person disabled = realm.person();
        realm.admin().update(disabled.path(), user -> user.put("enabled", false));
        realm.admin().update("", json -> json.put("bruteForceProtected", true).put("failureFactor", 2));
        try {
            for (Person each : List.of(locked, disabled)) {
                Browser browser = new Browser(server);
                HttpResponse<String> page = start(browser, each.username());
                for (int i = 0; i < 5; i++) {
                    page = browser.submit(page, Map.of("code", "000000"));
                }
                assertEquals(0, realm.failures(each));
            }
            // Keycloak counts a failure after it has answered. When it has counted this last one, it would have counted
            // the others too.
            Browser browser = new Browser(server);
            browser.submit(start(browser, person.username()), Map.of("code", realm.wrongCodeFor(person)));
            realm.awaitFailures(person, 1);
            assertEquals(0, realm.failures(locked));
            assertEquals(0, realm.failures(disabled));
        } finally {
            realm.admin().update("", json -> json.put("bruteForceProtected", false));
        }
    }

    @Test
    void codesToResetDoNotUseUpThoseOfTheLogin() {
        realm.settings(Map.of("maxCodesPerHour", "1"));
        start(new Browser(server), person.username());
        start(new Browser(server), person.username());
        assertEquals(1, realm.mailsTo(person).size());

        Browser browser = new Browser(server);
        HttpResponse<String> page = realm.signIn(browser, person);
        assertEquals(2, realm.mailsTo(person).size());
        page = browser.submit(page, Map.of("code", realm.codeOf(person)));
        assertTrue(page.headers().firstValue("Location").orElse("").contains("code="), page.body());
    }

    @Test
    void codesToResetDoNotUseUpThoseOfTheLoginAtTheAddressOfTheLogin() {
        realm.settings(Map.of("maxCodesPerHour", "1", "resendWait", "0"));
        Browser stranger = new Browser(server);
        stranger.post(atLogin(start(stranger, person.username())), RESEND);
        assertEquals(1, realm.mailsTo(person).size());

        realm.signIn(new Browser(server), person);
        assertEquals(2, realm.mailsTo(person).size());
    }

    @Test
    void codesOfTheLoginCountAsSuchAtTheAddressOfTheReset() {
        realm.settings(Map.of("maxCodesPerHour", "1", "resendWait", "0"));
        Browser browser = new Browser(server);
        HttpResponse<String> page = realm.signIn(browser, person);
        assertEquals(1, realm.mailsTo(person).size());

        page = browser.post(atReset(page), RESEND);
        assertShows("No new code was sent, because too many were asked for.", page);
        assertEquals(1, realm.mailsTo(person).size());
    }

    @Test
    void everybodyReadsTheSameAtTheAddressOfTheLogin() {
        realm.settings(Map.of("resendWait", "0"));
        Map<String, String> names = strangersAndThePerson();
        Map<String, HttpResponse<String>> pages = new LinkedHashMap<>();
        names.forEach((who, name) -> {
            Browser browser = new Browser(server);
            pages.put(who, browser.post(atLogin(start(browser, name)), RESEND));
        });
        assertSame(pages, names, SENT_ANEW);
    }

    /** The administrator lets people sign in with the flow that resets credentials. */
    @Test
    void flowThatResetsCredentialsIsNeutralInALoginToo() {
        realm.admin().update("", json -> json.put("browserFlow", "reset-with-a-code"));
        try {
            Map<String, String> names = strangersAndThePerson();
            Map<String, HttpResponse<String>> pages = new LinkedHashMap<>();
            names.forEach((who, name) -> {
                Browser browser = new Browser(server);
                HttpResponse<String> page = browser.get(realm.authorizationUrl());
                pages.put(who, browser.submit(page, Map.of("username", name)));
            });
            assertSame(pages, names, "If what you entered belongs to an account with a verified e‑mail address");
        } finally {
            realm.admin().update("", json -> json.put("browserFlow", "password-and-code"));
        }
    }

    @Test
    void pageLeadsBackToTheStartWithoutJavaScript() {
        Browser browser = new Browser(server);
        HttpResponse<String> page = start(browser, "nobody");
        assertHas("[value=nobody][readonly]", page);
        assertHas("#password", browser.follow(page, "#reset-login"));
    }

    /** @return what each kind of user enters as username. The person's language differs from the browser's. */
    private Map<String, String> strangersAndThePerson() {
        Person unverified = realm.person();
        realm.admin().update(unverified.path(), user -> user.put("emailVerified", false));
        Person withoutAddress = realm.person();
        realm.admin().update(withoutAddress.path(), user -> user.put("email", ""));
        Person disabled = realm.person();
        realm.admin().update(disabled.path(), user -> user.put("enabled", false));
        realm.admin()
                .update(
                        person.path(),
                        user -> user.putObject("attributes").putArray("locale").add("fr"));
        Map<String, String> names = new LinkedHashMap<>();
        names.put("the person", person.username());
        names.put("nobody", "person-" + UUID.randomUUID().toString().substring(0, 8));
        names.put("not verified", unverified.username());
        names.put("without an address", withoutAddress.username());
        names.put("disabled", disabled.username());
        return names;
    }

    private HttpResponse<String> start(Browser browser, String username) {
        HttpResponse<String> login = browser.get(realm.authorizationUrl());
        HttpResponse<String> page = browser.follow(login, "[href*=/reset-credentials]");
        return browser.submit(page, Map.of("username", username));
    }

    /** @return the address of the form, with the path of the login in place of that of the reset */
    private static String atLogin(HttpResponse<String> page) {
        return replaced(page, "/login-actions/reset-credentials?", "/login-actions/authenticate?");
    }

    /** @return the address of the form, with the path of the reset in place of that of the login */
    private static String atReset(HttpResponse<String> page) {
        return replaced(page, "/login-actions/authenticate?", "/login-actions/reset-credentials?");
    }

    private static String replaced(HttpResponse<String> page, String path, String other) {
        String action = Browser.action(page);
        assertTrue(action.contains(path), action);
        return action.replace(path, other);
    }

    private void submitAll(
            Map<String, Browser> browsers, Map<String, HttpResponse<String>> pages, Map<String, String> fields) {
        pages.replaceAll((who, page) -> browsers.get(who).submit(page, fields));
    }

    /** @return a wrong code, which is the same for everybody */
    private String wrong() {
        return realm.wrongCodeFor(person);
    }

    private static void assertSame(Map<String, HttpResponse<String>> pages, Map<String, String> names, String words) {
        HttpResponse<String> expected = pages.get("the person");
        assertTrue(expected.body().contains(words), expected.body());
        Function<String, String> read = who -> readable(pages.get(who).body(), names.get(who));
        for (String who : pages.keySet()) {
            assertEquals(expected.statusCode(), pages.get(who).statusCode(), who);
            assertEquals(read.apply("the person"), read.apply(who), who);
        }
    }

    /** @return the page without the parts that differ between logins, and without the seconds */
    private static String readable(String page, String name) {
        return page.replace(name, "(name)")
                .replaceAll("(session_code|tab_id|client_data|execution|state)=[^&\"]+", "$1")
                .replaceAll("checkAuthSession\\(\\s*\"[^\"]*\"", "")
                .replaceAll("in \\d+ seconds?", "soon")
                .replaceAll("Date\\.now\\(\\) \\+ \\d+", "");
    }
}
