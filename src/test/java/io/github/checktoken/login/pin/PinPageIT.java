package io.github.checktoken.login.pin;

import java.util.List;
import java.util.Locale;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;

import static io.github.checktoken.support.realm.PinRealm.MAX_FAILURES;
import static io.github.checktoken.support.realm.PinRealm.PIN;
import static io.github.checktoken.support.realm.PinRealm.PIN_FLOW;
import static io.github.checktoken.support.realm.PinRealm.WRONG_PIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the pages about PINs in a real browser. French has the longer words, so it is tested on the narrow screen. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinPageIT {

    private static final By PIN_FIELD = By.id("pin");
    private static final By CURRENT_PIN = By.id("pin-current");
    private static final By NEW_PIN = By.id("pin-new");
    private static final String NEW = "864209";
    private static final By CONFIRM = By.id("pin-confirm");
    private static final By ERROR = By.id("input-error-pin");

    private final PinRealm realm;

    PinPageIT(PinRealm realm) {
        this.realm = realm;
    }

    @ParameterizedTest
    @CsvSource({"en, wide", "fr, narrow"})
    void pageThatAsksForThePinIsAccessible(String language, String width) {
        try (ChromeBrowser browser = start(language, width)) {
            givePassword(browser, realm.newPersonWithPin());
            browser.find(PIN_FIELD);
            check(browser, "pin");
            give(browser, WRONG_PIN);
            browser.find(ERROR);
            check(browser, "pin-wrong");
            for (int wrong = 2; wrong < MAX_FAILURES; wrong++) {
                give(browser, WRONG_PIN);
            }
            assertTrue(browser.find(ERROR).getText().contains("15"));
            check(browser, "pin-last-try");
            give(browser, WRONG_PIN);
            assertTrue(browser.find(By.className("pf-v5-c-alert")).getText().contains("15"));
            check(browser, "pin-too-many");
        }
    }

    @ParameterizedTest
    @CsvSource({"en, wide", "fr, narrow"})
    void pageWhereThePinIsChosenIsAccessible(String language, String width) {
        try (ChromeBrowser browser = start(language, width)) {
            givePassword(browser, realm.newPerson());
            browser.find(NEW_PIN);
            check(browser, "configure-pin");
            choose(browser, "140388");
            browser.find(By.id("input-error-pin-new"));
            check(browser, "configure-pin-refused");
        }
    }

    @ParameterizedTest
    @CsvSource({"en, wide", "fr, narrow", "en, dark"})
    void pageWhereThePinIsChangedIsAccessible(String language, String width) {
        try (ChromeBrowser browser = start(language, width)) {
            openChange(browser);
            assertFocus(CURRENT_PIN, browser);
            check(browser, "change-pin");
            browser.submit(By.id("kc-submit"));
            browser.find(By.id("input-error-pin-current"));
            browser.find(By.id("input-error-pin-new"));
            check(browser, "change-pin-refused");
            change(browser, WRONG_PIN, NEW);
            browser.find(By.id("input-error-pin-current"));
            assertFocus(CURRENT_PIN, browser);
            check(browser, "change-pin-wrong");
            change(browser, PIN, "777777");
            assertFocus(NEW_PIN, browser);
            for (int wrong = 1; wrong <= MAX_FAILURES; wrong++) {
                change(browser, WRONG_PIN, NEW);
            }
            assertTrue(browser.find(By.className("pf-v5-c-alert")).getText().contains("15"));
            check(browser, "change-pin-too-many");
        }
    }

    @Test
    void pinIsChangedWithoutJavaScript() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH).withoutJavaScript()) {
            openChange(browser);
            change(browser, WRONG_PIN, NEW);
            browser.find(By.id("input-error-pin-current"));
            change(browser, PIN, NEW);
            browser.until(chrome -> chrome.getCurrentUrl().contains("kc_action_status=success"));
        }
    }

    @Test
    void pagesWorkWithoutJavaScript() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH).withoutJavaScript()) {
            String person = realm.newPerson();
            givePassword(browser, person);
            choose(browser, PIN);
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
            browser.open(realm.authorizationUrl(PIN_FLOW) + "&prompt=login");
            browser.fill(By.id("password"), "demo-password");
            browser.submit(By.id("kc-login"));
            give(browser, PIN);
            browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
        }
    }

    @Test
    void pinCanBeShownWhileItIsTyped() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            givePassword(browser, realm.newPersonWithPin());
            assertEquals("password", browser.find(PIN_FIELD).getDomAttribute("type"));
            browser.click(By.id("pin-show-password"));
            browser.until(chrome -> "text".equals(chrome.findElement(PIN_FIELD).getDomAttribute("type")));
            assertEquals("Hide PIN", browser.find(By.id("pin-show-password")).getDomAttribute("aria-label"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "en, Forgotten your PIN? Ask the people who manage your account",
        "fr, Vous avez oublié votre code PIN ? Demandez aux responsables de votre compte"
    })
    void pageThatAsksForThePinSaysWhomToAskForANewOne(String language, String text) {
        try (ChromeBrowser browser = start(language, "wide")) {
            givePassword(browser, realm.newPersonWithPin());
            String forgotten = browser.find(By.id("pin-forgotten")).getText();
            assertTrue(forgotten.startsWith(text), forgotten);
        }
    }

    /** Keycloak's own label of such a button, “Submit”, does not say what happens. */
    @ParameterizedTest
    @CsvSource({"en, Save", "fr, Enregistrer"})
    void buttonBelowANewPinSaysThatItIsSaved(String language, String label) {
        try (ChromeBrowser browser = start(language, "wide")) {
            givePassword(browser, realm.newPerson());
            assertEquals(label, browser.find(By.id("kc-submit")).getText());
        }
    }

    @ParameterizedTest
    @CsvSource({"en, PIN, My PIN", "fr, Code PIN, Mon code PIN"})
    void accountConsoleNamesItInThePersonsLanguage(String language, String type, String own) {
        try (ChromeBrowser browser = start(language, "wide")) {
            browser.open(realm.url() + "/account/account-security/signing-in");
            signIn(browser, realm.newPersonWithPin());
            give(browser, PIN);
            By title = By.cssSelector("[data-testid='pin/title']");
            By row = By.cssSelector("[data-testid='pin/credential-list'] [data-testrole='label']");
            assertEquals(type, browser.find(title).getText());
            assertEquals(own, browser.find(row).getText());
            browser.scrollTo(row);
            browser.screenshot("account-console-pin-" + language);
        }
    }

    private static ChromeBrowser start(String language, String width) {
        ChromeBrowser browser = ChromeBrowser.start(Locale.forLanguageTag(language));
        return switch (width) {
            case "narrow" -> browser.narrow();
            case "dark" -> browser.dark();
            default -> browser;
        };
    }

    private static void check(ChromeBrowser browser, String name) {
        browser.screenshotInEveryLook(name);
        assertEquals(List.of(), browser.axe(), name);
        assertEquals(0, browser.overflow(), name);
    }

    private void givePassword(ChromeBrowser browser, String person) {
        browser.open(realm.authorizationUrl(PIN_FLOW));
        signIn(browser, person);
    }

    private void openChange(ChromeBrowser browser) {
        givePassword(browser, realm.newPersonWithPin());
        give(browser, PIN);
        browser.until(chrome -> chrome.getCurrentUrl().contains("code="));
        browser.open(realm.authorizationUrl(PIN_FLOW) + "&kc_action=configure-pin");
    }

    private static void change(ChromeBrowser browser, String current, String pin) {
        browser.fill(CURRENT_PIN, current);
        choose(browser, pin);
    }

    private static void assertFocus(By field, ChromeBrowser browser) {
        browser.until(chrome -> chrome.switchTo().activeElement().equals(chrome.findElement(field)));
    }

    private static void signIn(ChromeBrowser browser, String person) {
        browser.fill(By.id("username"), person);
        browser.fill(By.id("password"), "demo-password");
        browser.submit(By.id("kc-login"));
    }

    private static void give(ChromeBrowser browser, String pin) {
        browser.fill(PIN_FIELD, pin);
        browser.submit(By.id("kc-login"));
    }

    private static void choose(ChromeBrowser browser, String pin) {
        browser.fill(NEW_PIN, pin);
        browser.fill(CONFIRM, pin);
        browser.submit(By.id("kc-submit"));
    }
}
