package io.github.checktoken.login.emailcode;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.realm.EmailCodeRealm;
import io.github.checktoken.support.realm.EmailCodeRealm.Person;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the page of the e-mail one-time code in a real browser. French has the longer words, so it is tested on the
 * narrow screen.
 */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmailCodePageIT {

    private static final By FIELD = By.id("code");
    private static final By FIELD_ERROR = By.id("input-error-code");
    private static final By SIGN_IN = By.id("kc-login");
    private static final By RESEND = By.id("kc-email-code-resend");
    private static final By WAIT = By.id("email-code-wait");
    /** A way to sign in, in Keycloak's list. Keycloak 26.5 gives it no role. */
    private static final By CHOICE = By.cssSelector("li > div[onclick]");

    private static final By TRY_ANOTHER_WAY = By.id("try-another-way");
    private static final By ALERT = By.className("kc-feedback-text");

    private final EmailCodeRealm realm;
    private final MailServer mailServer;
    private Person person;

    EmailCodePageIT(EmailCodeRealm realm, MailServer mailServer) {
        this.realm = realm;
        this.mailServer = mailServer;
    }

    @BeforeEach
    void newPerson() {
        realm.settings(Map.of());
        person = realm.person();
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void everyStateIsAccessibleAndFitsTheScreen(String language, boolean narrow) {
        try (ChromeBrowser browser = start(language, narrow)) {
            signIn(browser);
            check(browser, "email-code-sent");

            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            check(browser, "email-code-wrong");

            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            enter(browser, realm.wrongCodeFor(person));
            browser.find(ALERT);
            check(browser, "email-code-void");

            realm.settings(Map.of("resendWait", "0"));
            browser.submit(RESEND);
            browser.find(FIELD);
            browser.find(WAIT);
            check(browser, "email-code-sent-anew");

            realm.settings(Map.of("lifespan", "1", "resendWait", "0"));
            Waiting.untilAllIsOlderThan(0);
            enter(browser, realm.codeOf(person));
            browser.until(chrome -> chrome.findElements(FIELD).isEmpty());
            check(browser, "email-code-expired");

            realm.settings(Map.of("resendWait", "0", "maxCodesPerHour", "2"));
            browser.submit(RESEND);
            browser.find(FIELD);
            // Its help would say to ask for a new code.
            browser.until(chrome -> chrome.findElement(WAIT)
                    .getText()
                    .contains(language.equals("fr") ? "rechargez" : "load this page again"));
            assertFalse(browser.find(RESEND).isEnabled());
            check(browser, "email-code-limit");
        }
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void pageIsAccessibleWhenTheMailServerIsDown(String language, boolean narrow) {
        realm.mailServer(mailServer.settingsOfNone());
        try (ChromeBrowser browser = start(language, narrow)) {
            signIn(browser);
            browser.find(ALERT);
            check(browser, "email-code-not-sent");
        } finally {
            realm.mailServer(mailServer.settings());
        }
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void pageIsAccessibleWithoutVerifiedAddress(String language, boolean narrow) {
        realm.admin().update(person.path(), user -> user.put("emailVerified", false));
        try (ChromeBrowser browser = start(language, narrow)) {
            signIn(browser);
            browser.find(ALERT);
            check(browser, "email-code-no-address");
            browser.submit(By.id("reset-login"));
            browser.find(By.id("password"));
        }
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void pageWithoutVerifiedAddressLeadsToTheOtherWay(String language, boolean narrow) {
        Person other = withoutVerifiedAddressAndWithOtp();
        try (ChromeBrowser browser = start(language, narrow)) {
            chooseTheCode(browser, other);
            check(browser, "email-code-no-address-other-way");
            browser.submit(TRY_ANOTHER_WAY);
            browser.find(CHOICE);
        }
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void pageThatOffersACodeIsAccessibleAndSendsOne(String language, boolean narrow) {
        try (ChromeBrowser browser = start(language, narrow)) {
            browser.open(realm.stepUpServiceProvider().request().url().replace("eidas1", "one"));
            enterPassword(browser, person);
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
            String stepUp = realm.stepUpServiceProvider().request().url().replace("eidas1", "two");
            browser.open(stepUp);
            browser.find(FIELD);
            browser.open(stepUp);
            browser.find(ALERT);
            check(browser, "email-code-offer");
            assertEquals(1, realm.mailsTo(person).size());

            browser.submit(RESEND);
            enter(browser, realm.codeOf(person));
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
        }
    }

    @ParameterizedTest
    @CsvSource({"en,false", "fr,true"})
    void pageIsAccessibleWhereCredentialsAreReset(String language, boolean narrow) {
        realm.settings(Map.of("resendWait", "0"));
        try (ChromeBrowser browser = start(language, narrow)) {
            browser.open(realm.authorizationUrl());
            browser.submit(By.cssSelector("a[href*='reset-credentials']"));
            browser.fill(By.id("username"), person.username());
            browser.submit(By.cssSelector("[type=submit]"));
            browser.find(FIELD);
            check(browser, "email-code-reset-sent");

            browser.submit(RESEND);
            browser.find(ALERT);
            check(browser, "email-code-reset-sent-anew");

            enter(browser, realm.codeOf(person));
            browser.find(By.id("password-new"));
        }
    }

    @Test
    void pageIsAccessibleInDarkColours() {
        try (ChromeBrowser browser = start("en", false).dark()) {
            signIn(browser);
            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            check(browser, "email-code-wrong");
        }
    }

    @Test
    void pageWithoutVerifiedAddressIsAccessibleInDarkColours() {
        try (ChromeBrowser browser = start("en", false).dark()) {
            chooseTheCode(browser, withoutVerifiedAddressAndWithOtp());
            check(browser, "email-code-no-address-other-way");
        }
    }

    @Test
    void personSignsInWithoutJavaScript() {
        realm.settings(Map.of("resendWait", "0"));
        try (ChromeBrowser browser = start("en", false).withoutJavaScript()) {
            signIn(browser);
            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            browser.submit(RESEND);
            browser.until(chrome -> realm.mailsTo(person).size() == 2);
            browser.find(ALERT);
            enter(browser, realm.codeOf(person));
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
        }
    }

    @Test
    void fieldIsReadyForACodeAndItsErrorBelongsToIt() {
        try (ChromeBrowser browser = start("en", false)) {
            signIn(browser);
            WebElement field = browser.find(FIELD);
            assertEquals("numeric", field.getAttribute("inputmode"));
            assertEquals("one-time-code", field.getAttribute("autocomplete"));
            browser.until(chrome -> field.equals(chrome.switchTo().activeElement()));

            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            assertEquals("true", browser.find(FIELD).getAttribute("aria-invalid"));
            assertTrue(
                    List.of(browser.find(FIELD).getAttribute("aria-describedby").split(" "))
                            .contains("input-error-code"));
        }
    }

    /** The second click must not submit the form again, because the second answer would replace the first one. */
    @Test
    void doubleClickSignsIn() {
        try (ChromeBrowser browser = start("en", false)) {
            signIn(browser);
            browser.fill(FIELD, realm.codeOf(person));
            WebElement button = browser.find(SIGN_IN);
            browser.until(chrome -> {
                new Actions(chrome).doubleClick(button).perform();
                return true;
            });
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
        }
    }

    @Test
    void waitIsCountedDown() {
        realm.settings(Map.of("resendWait", "3"));
        try (ChromeBrowser browser = start("en", false)) {
            signIn(browser);
            assertTrue(browser.find(WAIT).getText().matches("You can ask for a new code in [123] seconds?\\."));
            assertFalse(browser.find(RESEND).isEnabled());
            browser.until(chrome -> browser.find(WAIT).getText().equals("You can ask for a new code in 1 second."));
            browser.until(chrome -> browser.find(WAIT).getText().equals("You can ask for a new code now."));
            browser.submit(RESEND);
            browser.until(chrome -> realm.mailsTo(person).size() == 2);
        }
    }

    @Test
    void backAndForwardSendNoMail() {
        realm.settings(Map.of("resendWait", "0"));
        try (ChromeBrowser browser = start("en", false)) {
            signIn(browser);
            browser.find(FIELD);
            browser.until(chrome -> {
                chrome.navigate().refresh();
                chrome.navigate().back();
                chrome.navigate().forward();
                return true;
            });
            enter(browser, realm.wrongCodeFor(person));
            browser.find(FIELD_ERROR);
            browser.until(chrome -> {
                chrome.navigate().refresh();
                return true;
            });
            browser.find(FIELD);
            assertEquals(1, realm.mailsTo(person).size());
        }
    }

    private static ChromeBrowser start(String language, boolean narrow) {
        ChromeBrowser browser = ChromeBrowser.start(Locale.forLanguageTag(language));
        return narrow ? browser.narrow() : browser;
    }

    private Person withoutVerifiedAddressAndWithOtp() {
        Person other = realm.personWithOtp();
        realm.admin().update(other.path(), user -> user.put("emailVerified", false));
        return other;
    }

    /** Chooses the code in a flow that also has another way. */
    private void chooseTheCode(ChromeBrowser browser, Person other) {
        browser.open(realm.choiceServiceProvider().authorizationUrl("/protocol/openid-connect/auth", "openid"));
        enterPassword(browser, other);
        browser.submit(TRY_ANOTHER_WAY);
        String code = realm.executionId("choice", "auth-email-code-form");
        browser.submit(By.xpath("//li[.//input[@value='" + code + "']]/div[@onclick]"));
        browser.find(ALERT);
    }

    private void signIn(ChromeBrowser browser) {
        browser.open(realm.authorizationUrl());
        enterPassword(browser, person);
    }

    private static void enterPassword(ChromeBrowser browser, Person person) {
        browser.fill(By.id("username"), person.username());
        browser.fill(By.id("password"), "demo-password");
        browser.submit(SIGN_IN);
        browser.until(chrome -> chrome.findElements(By.id("password")).isEmpty());
    }

    private static void enter(ChromeBrowser browser, String code) {
        browser.fill(FIELD, code);
        browser.submit(SIGN_IN);
    }

    private static void check(ChromeBrowser browser, String name) {
        browser.screenshotInEveryLook(name);
        assertEquals(List.of(), browser.axe(), name);
        assertEquals(0, browser.overflow(), name);
    }
}
