package io.github.checktoken.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.demo.pages.DemoPages;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Shows every page of the demo in every look, and takes a picture of each for a person to look at. It takes minutes, so
 * it runs with {@code -Dscreenshots} only; {@link DemoPagesIT} checks the most important pages in each build.
 */
@EnabledIfSystemProperty(named = "screenshots", matches = ".*", disabledReason = "It takes minutes.")
@ExtendWith(KeycloakExtension.class)
class DemoAppearanceIT {

    private static final String PIN = "482915";

    private final Federation federation;
    private final MailServer mailServer;
    private final List<String> problems = new ArrayList<>();
    private DemoPages pages;
    private ChromeBrowser browser;

    DemoAppearanceIT(Federation federation, MailServer mailServer) {
        this.federation = federation;
        this.mailServer = mailServer;
    }

    @BeforeEach
    void setUp() throws IOException {
        federation.admin().put("", Map.of("smtpServer", mailServer.settings()));
        pages = new DemoPages(federation, 0, DemoRealm.read().people(), () -> mailServer.mailsTo("nadia@example.org"));
    }

    @AfterEach
    void cleanUp() {
        pages.close();
        mailServer.forget("nadia@example.org");
        federation.admin().put("", Map.of("smtpServer", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "fr"})
    void everyPagePassesAxeFitsANarrowScreenAndCutsNoWord(Locale language) {
        try (ChromeBrowser chrome = ChromeBrowser.start(language)) {
            browser = chrome;
            lookBeforeTheSignIn();
            lookAfterAnError();
            lookWithAPassword();
            lookWithoutAmr();
            lookWithACodeByEmail();
            lookWithAPin();
            lookWithAPasskey();
        }
        assertEquals(List.of(), problems);
    }

    private void lookBeforeTheSignIn() {
        look("sign-in", "");
        browser.find(By.tagName("body")).sendKeys(Keys.TAB);
        look("sign-in-tab-1");
        browser.find(By.className("skip")).sendKeys(Keys.TAB, Keys.TAB);
        look("sign-in-tab-3");
        look("nobody-is-signed-in", "signed-in");
        look("nothing-is-asked", "answers");
        look("no-mails", "mails");
        look("404", "no-such-page");
        look("405", "sign-in");
        browser.open(pages.url());
        new SignInPage(browser).forgetSession();
        browser.submit(button("/sign-in"));
        look("403");
    }

    private void lookAfterAnError() {
        look("bank", "sp-bank/callback?code=c0de.c0de.c0de&iss=http%3A%2F%2Flocalhost&state=s");
        look("bank-without-code", "sp-bank/callback?error=access_denied&state=s");
        look("sign-in-without-code", "sp-town/callback");
        look("sign-in-unknown", "sp-town/callback?code=c&state=s");
        look("sign-in-error", "sp-town/callback?error=access_denied&error_description=Refused&state=" + newState());
        look("sign-in-wrong-code", "sp-town/callback?code=c0de&state=" + newState());
        look("sign-out-unknown", "sp-town/");
    }

    private void lookWithAPassword() {
        signIn().password("camille");
        look("signed-in-pwd");
        look("sign-in-while-signed-in", "");
        browser.open(pages.url() + "signed-in");
        ask("both");
        look("answers-both");
        ask("tax");
        look("answers-tax");
        ask("health");
        look("answers-health");
        browser.submit(button("/ask-as-no-data-provider"));
        look("answers-403");
        browser.submit(button("/ask-with-a-wrong-key"));
        look("answers-503");
        signOut();
        look("signed-out");
        look("sign-in-after-sign-out", "");
    }

    private void lookWithoutAmr() {
        browser.open(pages.url());
        browser.click(By.name("amr"));
        for (String other : List.of("given_name", "family_name", "tax_income", "eidas2")) {
            browser.click(By.cssSelector("[value=" + other + "]"));
        }
        browser.submit(button("/sign-in"));
        new SignInPage(browser).password("camille");
        look("signed-in-without-amr");
        ask("both");
        look("answers-without-scope");
        signOut();
        browser.open(pages.url());
        browser.click(By.name("amr"));
        browser.click(By.cssSelector("[value='']"));
        browser.submit(button("/sign-in"));
        new SignInPage(browser).password("camille");
        look("signed-in-without-level");
        signOut();
    }

    private void lookWithACodeByEmail() {
        signIn().password("nadia");
        browser.fill(By.id("code"), mailServer.newestCode("nadia@example.org").orElseThrow());
        browser.submit(By.id("kc-login"));
        look("signed-in-mail");
        look("mails", "mails");
        browser.open(pages.url() + "signed-in");
        signOut();
    }

    private void lookWithAPin() {
        try (DemoPerson person = person("configure-pin")) {
            signIn().password(person.name()).choosePin(PIN);
            signOut();
            signIn().password(person.name()).pin(PIN);
            look("signed-in-pin");
            AdminApi admin = federation.admin();
            admin.post(admin.user(person.name()) + "/logout", Map.of());
            ask("both");
            look("answers-inactive");
            signOut();
            look("signed-out-after-the-session-ended");
        }
    }

    private void lookWithAPasskey() {
        try (DemoPerson person = person("webauthn-register-passwordless")) {
            signIn().withPasskeys().password(person.name()).register();
            browser.find(By.id("second-factor"));
            signOut();
            signIn();
            browser.find(By.id("second-factor"));
            look("signed-in-passkey");
            signOut();
        }
    }

    private DemoPerson person(String requiredAction) {
        return new DemoPerson(federation.admin(), List.of(DemoPerson.PASSWORD), List.of(requiredAction));
    }

    private SignInPage signIn() {
        browser.open(pages.url());
        browser.submit(button("/sign-in"));
        return new SignInPage(browser);
    }

    /** @return the state of a sign-in that this browser has begun */
    private String newState() {
        signIn();
        return browser.until(driver -> driver.getCurrentUrl().replaceFirst(".*[?&]state=([^&]+).*", "$1"));
    }

    private void ask(String dataProvider) {
        browser.submit(By.cssSelector("form[action='/ask'] button[value=" + dataProvider + "]"));
    }

    private void signOut() {
        browser.submit(By.cssSelector("form[action='/sign-out'] button[value=ask]"));
    }

    private void look(String name, String address) {
        browser.open(pages.url() + address);
        look(name);
    }

    private void look(String name) {
        browser.inEveryLook(folder -> {
            String picture = folder + "/demo-" + name;
            browser.screenshot(picture);
            browser.axe().forEach(violation -> problems.add(picture + ": " + violation));
            browser.cutWords().forEach(word -> problems.add(picture + ": cuts the word " + word));
            if (browser.overflow() != 0) {
                problems.add(picture + ": " + browser.overflow() + " pixels too wide");
            }
        });
    }

    private static By button(String action) {
        return By.cssSelector("form[action='" + action + "'] button");
    }
}
