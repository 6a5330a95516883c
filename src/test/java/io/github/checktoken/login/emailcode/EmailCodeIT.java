package io.github.checktoken.login.emailcode;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.ServiceProvider;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertHasNot;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the e-mail one-time code. {@link EmailCodePageIT} tests its page, {@link EmailCodeLimitsIT} its limits. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmailCodeIT {

    private static final Map<String, String> RESEND = Map.of("resend", "");

    private final KeycloakServer server;
    private final EmailCodeRealm realm;
    private final MailServer mailServer;
    private Browser browser;
    private Person person;

    EmailCodeIT(KeycloakServer server, EmailCodeRealm realm, MailServer mailServer) {
        this.server = server;
        this.realm = realm;
        this.mailServer = mailServer;
    }

    @BeforeEach
    void newPersonInNewBrowser() {
        realm.settings(Map.of());
        browser = new Browser(server);
        person = realm.person();
    }

    @Test
    void codeFromTheMailSignsIn() {
        HttpResponse<String> page = realm.signIn(browser, person);

        String code = realm.codeOf(person);
        assertTrue(code.matches("[0-9]{6}"), code);
        assertNotNull(realm.serviceProvider().redeem(enter(page, code)).accessToken());
    }

    @ParameterizedTest
    @ValueSource(strings = {" %s%s ", "%s %s", "%s\u00a0%s\t", "%s-%s."})
    void spacesAroundAndInsideTheCodeDoNotMatter(String form) {
        HttpResponse<String> page = realm.signIn(browser, person);

        String code = realm.codeOf(person);
        assertSignedIn(enter(page, form.formatted(code.substring(0, 3), code.substring(3))));
    }

    @Test
    void settingDecidesHowManyDigitsACodeHas() {
        realm.settings(Map.of("length", "8"));
        realm.signIn(browser, person);

        assertEquals(8, realm.codeOf(person).length());
    }

    @Test
    void pageSaysWhereTheMailWentWithoutTheWholeAddress() {
        HttpResponse<String> page = realm.signIn(browser, person);

        assertShows("We sent a code to c•••@example.org.", page);
        assertFalse(page.body().contains(person.address()), page.body());
    }

    @Test
    void pageLoadedAnewSendsNoSecondMail() {
        Map<String, String> credentials = Map.of("username", person.username(), "password", "demo-password");
        HttpResponse<String> page = browser.submit(browser.get(realm.authorizationUrl()), credentials);

        // Without JavaScript, the history of the browser has the address that the password was posted to. Keycloak
        // leads on from there.
        HttpResponse<String> past = browser.post(page.uri().toString(), credentials);
        String present = HtmlPage.of(past).link("#loginContinueLink");
        assertFieldIsShown(browser.get(present));
        HttpResponse<String> french = browser.get(present + "&kc_locale=fr");

        assertEquals(1, realm.mailsTo(person).size());
        assertSignedIn(enter(french, realm.codeOf(person)));
    }

    @Test
    void askingForANewCodeAndLoadingTheAnswerAnewSendsOneMail() {
        realm.settings(Map.of("resendWait", "0"));
        HttpResponse<String> page = realm.signIn(browser, person);
        browser.submit(page, RESEND);
        browser.post(Browser.action(page), RESEND);

        assertEquals(2, realm.mailsTo(person).size());
    }

    @Test
    void everyLoginHasItsOwnCode() {
        HttpResponse<String> page = realm.signIn(browser, person);
        Browser other = new Browser(server);
        HttpResponse<String> otherPage = realm.signIn(other, person);

        List<MailServer.Mail> mails = realm.mailsTo(person);
        assertNotEquals(mails.get(0).code(), mails.get(1).code());
        assertWrong(other.submit(otherPage, Map.of("code", mails.get(0).code())));
        assertSignedIn(enter(page, mails.get(0).code()));
    }

    @Test
    void wrongCodeIsRefusedNextToTheFieldAndTheRightOneStillCounts() {
        HttpResponse<String> page = enter(realm.signIn(browser, person), wrong());

        assertWrong(page);
        assertEquals(List.of("invalid_code"), realm.errors(person));
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void blankFieldIsNoTry() {
        HttpResponse<String> page = realm.signIn(browser, person);
        for (int i = 0; i < 4; i++) {
            page = enter(page, " ");
            assertShows("Enter the code from the e-mail.", page);
        }
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void afterThreeWrongTriesOnlyANewCodeGoesOn() {
        realm.settings(Map.of("resendWait", "0"));
        HttpResponse<String> page = realm.signIn(browser, person);
        String first = realm.codeOf(person);
        page = enter(enter(page, wrong()), wrong());
        assertWrong(page);
        page = enter(page, wrong());
        assertVoid(page);
        assertVoid(browser.get(page.uri().toString()));
        page = enter(page, first);
        assertVoid(page);
        assertEquals(1, realm.mailsTo(person).size());

        page = browser.submit(page, RESEND);
        assertFieldIsShown(page);
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void expiredCodeIsRefusedAndSaidToBe() {
        realm.settings(Map.of("lifespan", "1", "resendWait", "0"));
        HttpResponse<String> page = realm.signIn(browser, person);
        Waiting.untilAllIsOlderThan(0);
        page = enter(page, realm.codeOf(person));

        assertShows("The code has expired. Ask for a new code.", page);
        assertHasNot("#code", page);
        assertEquals(List.of("expired_code"), realm.errors(person));
        assertEquals(1, realm.mailsTo(person).size());

        realm.settings(Map.of());
        assertSignedIn(enter(browser.submit(page, RESEND), realm.codeOf(person)));
    }

    @Test
    void newCodeReplacesTheOneBefore() {
        realm.settings(Map.of("resendWait", "0"));
        HttpResponse<String> page = browser.submit(realm.signIn(browser, person), RESEND);
        assertShows("A new code is on its way.", page);

        List<MailServer.Mail> mails = realm.mailsTo(person);
        page = enter(page, mails.get(0).code());
        assertWrong(page);
        assertSignedIn(enter(page, mails.get(1).code()));
    }

    @Test
    void newCodeHasToBeWaitedForAndThePageSaysHowLong() {
        HttpResponse<String> page = realm.signIn(browser, person);
        assertTrue(page.body().matches("(?s).*You can ask for a new code in (30|29|28) seconds\\..*"), page.body());

        page = browser.submit(page, RESEND);
        assertShows("No new code was sent", page);
        assertEquals(1, realm.mailsTo(person).size());
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void codeIsUsedOnce() {
        HttpResponse<String> page = realm.signIn(browser, person);
        String code = realm.codeOf(person);
        assertSignedIn(enter(page, code));
        assertFalse(isSignedIn(enter(page, code)));

        Browser other = new Browser(server);
        assertWrong(other.submit(realm.signIn(other, person), Map.of("code", code)));
    }

    @Test
    void codeForAnAddressThatChangedMeanwhileDoesNotCount() {
        HttpResponse<String> page = realm.signIn(browser, person);
        String code = realm.codeOf(person);
        Person moved = new Person(person.path(), person.username(), "new-" + person.address());
        realm.admin().update(person.path(), user -> user.put("email", moved.address()));

        page = enter(page, code);
        assertShows("We sent a code to n•••@example.org.", page);
        assertSignedIn(enter(page, realm.codeOf(moved)));
    }

    @Test
    void addressThatIsNotVerifiedGetsNoMailAndThePersonReadsWhy() {
        realm.admin().update(person.path(), user -> user.put("emailVerified", false));
        HttpResponse<String> page = realm.signIn(browser, person);

        assertShows("your account has no verified e-mail address", page);
        assertEquals(List.of("invalid_email"), realm.errors(person));
        assertEquals(0, realm.mailsTo(person).size());
    }

    @Test
    void personWithoutVerifiedAddressReadsWhyAfterChoosingTheCodeAndGoesAnotherWay() {
        realm.requirement("ALTERNATIVE");
        try {
            Person other = realm.personWithOtp();
            realm.admin().update(other.path(), user -> user.put("emailVerified", false));
            HttpResponse<String> page = realm.signIn(browser, other);
            assertHas("#kc-otp-login-form", page);
            page = chooseEmailCode(page);
            assertShows("no code can be sent to you. Sign in another way", page);
            assertEquals(List.of("invalid_email"), realm.errors(other));

            HttpResponse<String> choice = browser.submit(page, Map.of("tryAnotherWay", "on"));
            page = browser.submit(
                    choice, Map.of("authenticationExecution", realm.executionId("password-and-code", "auth-otp-form")));
            assertHas("#kc-otp-login-form", page);
            assertEquals(0, realm.mailsTo(other).size());
        } finally {
            realm.requirement("REQUIRED");
        }
    }

    /** Keycloak's own page would say that credentials must be set up, and not how. */
    @Test
    void personWithoutVerifiedAddressReadsWhyIfNoOtherWayIsLeft() {
        realm.requirement("ALTERNATIVE");
        try {
            realm.admin().update(person.path(), user -> user.put("emailVerified", false));
            HttpResponse<String> page = realm.signIn(browser, person);
            assertShows("You need a code by e-mail to sign in here", page);
            assertEquals(List.of("invalid_email"), realm.errors(person));
            assertHas("#password", browser.follow(page, "#reset-login"));
        } finally {
            realm.requirement("REQUIRED");
        }
    }

    @Test
    void personWithoutVerifiedAddressSetsUpAnotherWayWhereTheFlowLeadsToIt() {
        realm.admin().update(person.path(), user -> user.put("emailVerified", false));
        for (ServiceProvider serviceProvider : realm.setUpServiceProviders()) {
            Browser own = new Browser(server);
            HttpResponse<String> page =
                    own.get(serviceProvider.authorizationUrl("/protocol/openid-connect/auth", "openid"));
            assertHas("#kc-totp-settings-form", own.givePassword(page, person.username()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void personWithoutVerifiedAddressReadsWhyAndGoesAnotherWayWhereTheCodeIsRequiredInASubFlow(boolean hasOtherWay) {
        Person other = hasOtherWay ? realm.personWithOtp() : person;
        realm.admin().update(other.path(), user -> user.put("emailVerified", false));
        HttpResponse<String> page =
                browser.get(realm.choiceServiceProvider().authorizationUrl("/protocol/openid-connect/auth", "openid"));
        page = browser.givePassword(page, other.username());
        if (hasOtherWay) {
            // Keycloak first asks for the one-time password, because the person has set one up.
            String code = realm.executionId("choice", "auth-email-code-form");
            page = browser.submit(
                    browser.submit(page, Map.of("tryAnotherWay", "")), Map.of("authenticationExecution", code));
        }
        assertShows("our account has no verified e-mail address", page);
        assertEquals(hasOtherWay, page.body().contains("Sign in another way"), page.body());
        assertEquals(hasOtherWay, HtmlPage.of(page).has("[name=tryAnotherWay]"), page.body());
        assertHasNot("[name=resend]", page);
        assertEquals(List.of("invalid_email"), realm.errors(other));

        if (hasOtherWay) {
            HttpResponse<String> choice = browser.submit(page, Map.of("tryAnotherWay", ""));
            page = browser.submit(
                    choice, Map.of("authenticationExecution", realm.executionId("choice", "auth-otp-form")));
            assertHas("#kc-otp-login-form", page);
        } else {
            page = browser.follow(page, "#reset-login");
            assertHas("#password", page);
        }
        assertEquals(0, realm.mailsTo(other).size());
    }

    @Test
    void codeCountsAsUsedForAConditionOnCredentials() {
        HttpResponse<String> page =
                browser.get(realm.noMailServiceProvider().authorizationUrl("/protocol/openid-connect/auth", "openid"));
        page = browser.givePassword(page, person.username());
        page = enter(page, realm.codeOf(person));
        assertShows("Access denied", page);
    }

    @Test
    void codeIsOneOfSeveralWays() {
        realm.requirement("ALTERNATIVE");
        try {
            Person other = realm.personWithOtp();
            HttpResponse<String> page = chooseEmailCode(realm.signIn(browser, other));
            assertFieldIsShown(page);
            page = chooseEmailCode(page);
            assertEquals(1, realm.mailsTo(other).size());
            assertSignedIn(enter(page, realm.codeOf(other)));
        } finally {
            realm.requirement("REQUIRED");
        }
    }

    @Test
    void whenTheMailServerIsDownThePersonIsToldAndCanTryAgain() {
        realm.mailServer(mailServer.settingsOfNone());
        HttpResponse<String> page;
        try {
            page = realm.signIn(browser, person);
        } finally {
            realm.mailServer(mailServer.settings());
        }
        assertShows("The e-mail could not be sent.", page);
        assertEquals(List.of("email_send_failed"), realm.errors(person));

        page = browser.submit(page, RESEND);
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void codeBeforeStillCountsWhenANewOneCouldNotBeSent() {
        realm.settings(Map.of("resendWait", "0"));
        HttpResponse<String> page = realm.signIn(browser, person);
        realm.mailServer(mailServer.settingsOfNone());
        try {
            page = browser.submit(page, RESEND);
        } finally {
            realm.mailServer(mailServer.settings());
        }
        assertSignedIn(enter(page, realm.codeOf(person)));
    }

    @Test
    void mailHasTheCodeTheServiceAndTheRealmAsTextAndAsHtml() {
        realm.signIn(browser, person);
        MailServer.Mail mail = realm.mailsTo(person).get(0);

        assertEquals("Your sign-in code from Post office", mail.subject());
        assertTrue(mail.text().contains("sign in to Letter box & Co with Post office:"), mail.text());
        assertTrue(mail.text().contains("valid for 5 minutes"), mail.text());
        assertTrue(mail.html().contains("lang=\"en\""), mail.html());
        assertTrue(mail.html().contains("sign in to Letter box &amp; Co with Post office:"), mail.html());
        assertTrue(mail.html().contains(">" + mail.code() + "<"), mail.html());
        assertTrue(mail.html().contains("\"" + String.join(" ", mail.code().split("")) + "\""), mail.html());
        assertFalse(mail.subject().contains(mail.code()));
    }

    @Test
    void mailNamesTheAccountConsoleInThePersonsLanguage() {
        String url = realm.accountConsoleUrl();
        Map<String, String> credentials = Map.of("username", person.username(), "password", "demo-password");
        browser.submit(browser.get(url), credentials);
        Browser other = new Browser(server);
        other.submit(other.get(url + "&ui_locales=fr"), credentials);

        List<MailServer.Mail> mails = realm.mailsTo(person);
        assertTrue(
                mails.get(0).text().contains("sign in to Account Console with"),
                mails.get(0).text());
        assertTrue(
                mails.get(1).html().contains("connecter à Console de gestion du compte"),
                mails.get(1).html());
    }

    @Test
    void mailNamesTheRealmWhoseDisplayNameIsBlank() {
        realm.admin().update("", json -> json.put("displayName", ""));
        try {
            realm.signIn(browser, person);
        } finally {
            realm.admin().update("", json -> json.put("displayName", "Post office"));
        }
        MailServer.Mail mail = realm.mailsTo(person).get(0);
        String name = realm.admin().get("").get("realm").asText();

        assertEquals("Your sign-in code from " + name, mail.subject());
        assertTrue(mail.text().contains("with " + name + ":"), mail.text());
        assertTrue(mail.html().contains("with " + name + ":"), mail.html());
    }

    @Test
    void mailNamesServiceAndRealmInThePersonsLanguage() {
        String client = realm.admin().client(realm.serviceProvider().clientId());
        Map<String, String> texts = Map.of("realmDisplayName", "La Poste", "letterBox", "Boîte aux lettres");
        realm.admin().update(client, json -> json.put("name", "${letterBox}"));
        realm.admin().post("/localization/fr", texts);
        try {
            browser.givePassword(browser.get(realm.authorizationUrl() + "&ui_locales=fr"), person.username());
        } finally {
            realm.admin().delete("/localization/fr");
            realm.admin().update(client, json -> json.put("name", "Letter box & Co"));
        }
        MailServer.Mail mail = realm.mailsTo(person).get(0);
        assertEquals("La Poste\u00a0: votre code de connexion", mail.subject());
        assertTrue(mail.text().contains("vous connecter à Boîte aux lettres avec La Poste\u00a0:"), mail.text());
    }

    /** A client that registers itself chooses its name, and administrators choose the name of the realm. */
    @Test
    void namesInTheMailAreOneLineThatIsNotLongAndChangesNothingAroundIt() {
        String client = realm.admin().client(realm.serviceProvider().clientId());
        String name = "Bank <b>\r\n\r\nCall\u2028us\u0085on\u202e 123\u0007 \u2066now\u2069 ${emailCodeMailAdvice}";
        realm.admin().update(client, json -> json.put("name", name));
        realm.admin()
                .update("", json -> json.put("displayName", "Post\r\nBcc: all@example.org\n" + "office ".repeat(30)));
        try {
            realm.signIn(browser, person);
        } finally {
            realm.admin().update(client, json -> json.put("name", "Letter box & Co"));
            realm.admin().update("", json -> json.put("displayName", "Post office"));
        }
        MailServer.Mail mail = realm.mailsTo(person).get(0);
        String realmName = "Post Bcc: all@example.org " + "office ".repeat(10) + "off…";
        String intro = "Enter this code to sign in to Bank %s Call us on 123 now {emailCodeMailAdvice} with %s:";

        assertEquals("Your sign-in code from " + realmName, mail.subject());
        assertEquals(
                intro.formatted("<b>", realmName),
                mail.text().lines().findFirst().orElseThrow());
        assertTrue(mail.html().contains("<p>" + intro.formatted("&lt;b&gt;", realmName) + "</p>"), mail.html());
    }

    @Test
    void mailDoesNotNameAClientWhoseNameIsBlank() {
        String client = realm.admin().client(realm.serviceProvider().clientId());
        realm.admin().update(client, json -> json.put("name", " \u200b\n"));
        try {
            realm.signIn(browser, person);
        } finally {
            realm.admin().update(client, json -> json.put("name", "Letter box & Co"));
        }
        String text = realm.mailsTo(person).get(0).text();
        assertTrue(text.startsWith("Enter this code to sign in with Post office:"), text);
    }

    /** The demo theme itself writes the realm's name above every HTML mail. */
    @Test
    void frameOfTheDemoThemeHasTheRealmsNameInOneLineToo() {
        realm.admin().update("", json -> json.put("emailTheme", "checktoken").put("displayName", "Post\u202e\noffice"));
        try {
            realm.signIn(browser, person);
        } finally {
            realm.admin().update("", json -> json.put("emailTheme", "").put("displayName", "Post office"));
        }
        String html = realm.mailsTo(person).get(0).html();
        assertTrue(html.contains("font-weight: bold;\">Post office</p>"), html);
    }

    @Test
    void mailAndPageAreInThePersonsLanguage() {
        HttpResponse<String> page = browser.get(realm.authorizationUrl() + "&ui_locales=fr");
        page = browser.givePassword(page, person.username());
        MailServer.Mail mail = realm.mailsTo(person).get(0);

        assertShows("Nous avons envoyé un code à c•••@example.org.", page);
        assertEquals("Post office\u00a0: votre code de connexion", mail.subject());
        assertTrue(mail.text().contains("vous connecter à Letter box & Co avec Post office\u00a0:"), mail.text());
        assertTrue(mail.html().contains("lang=\"fr\""), mail.html());
        assertTrue(mail.html().contains("valable 5 minutes"), mail.html());
    }

    private HttpResponse<String> enter(HttpResponse<String> page, String code) {
        return browser.submit(page, Map.of("code", code));
    }

    private HttpResponse<String> chooseEmailCode(HttpResponse<String> page) {
        HttpResponse<String> choice = browser.submit(page, Map.of("tryAnotherWay", "on"));
        assertShows("Enter a code that we send to your e-mail address.", choice);
        return browser.submit(choice, Map.of("authenticationExecution", realm.executionId()));
    }

    /** @return a wrong code, which has six digits like the right one */
    private String wrong() {
        return realm.wrongCodeFor(person);
    }

    private static boolean isSignedIn(HttpResponse<String> answer) {
        return answer.headers().firstValue("Location").orElse("").contains("code=");
    }

    private static void assertSignedIn(HttpResponse<String> answer) {
        assertTrue(isSignedIn(answer), answer.statusCode() + " " + answer.body());
    }

    private static void assertFieldIsShown(HttpResponse<String> page) {
        assertHas("#code", page);
    }

    private static void assertWrong(HttpResponse<String> page) {
        assertFieldIsShown(page);
        assertShows("This code is not right.", page);
    }

    private static void assertVoid(HttpResponse<String> page) {
        assertHasNot("#code", page);
        assertShows("There were too many wrong tries", page);
    }
}
