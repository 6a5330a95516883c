package io.github.checktoken.demo;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.demo.pages.DemoPages;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the pages of the demo: in a real browser, and with the requests of other sites and programs. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DemoPagesIT {

    private static final String PIN = "482915";
    private static final By OUTCOME = By.className("outcome");

    private static final List<String> PAGES = List.of("", "signed-in", "answers", "mails");
    private static final List<String> OTHER_PAGES = List.of("no-such-page", "sp-bank/callback?code=c");

    private final Federation federation;
    private final MailServer mailServer;
    private DemoPages pages;
    private DemoPerson withPin;

    DemoPagesIT(Federation federation, MailServer mailServer) {
        this.federation = federation;
        this.mailServer = mailServer;
    }

    @BeforeAll
    void setUp() throws IOException {
        federation.admin().put("", Map.of("smtpServer", mailServer.settings()));
        lightweightTokens(true);
        pages = new DemoPages(federation, 0, DemoRealm.read().people(), mailServer::mails);
        withPin = new DemoPerson(federation.admin(), List.of(DemoPerson.PASSWORD), List.of("configure-pin"));
    }

    @AfterAll
    void cleanUp() {
        withPin.close();
        pages.close();
        lightweightTokens(false);
        federation.admin().put("", Map.of("smtpServer", Map.of()));
    }

    /** As in the demo, whose service providers have lightweight tokens; most tests read ordinary ones. */
    private void lightweightTokens(boolean value) {
        AdminApi admin = federation.admin();
        admin.update(
                admin.client("sp-town"),
                client -> client.withObject("/attributes")
                        .put("client.use.lightweight.access.token.enabled", String.valueOf(value)));
    }

    @Test
    void showsTheJourneyOfATokenUntilTheSignOut() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, withPin.name()).choosePin(PIN);
            assertEquals("You used one factor.", firstSentence(browser, By.id("second-factor")));
            browser.submit(button("/sign-out", "ask"));
            assertEquals(
                    List.of("Rejected: the token is not active", "Rejected: the token is not active"),
                    outcomes(browser));

            signInAgain(browser, withPin.name()).pin(PIN);
            String claims = browser.find(By.id("claims")).getText();
            assertTrue(claims.contains("[ \"fc\", \"pwd\", \"pin\" ]"), claims);
            assertEquals(
                    "A password and a PIN are both something that you know.",
                    firstSentence(browser, By.id("second-factor")));

            browser.submit(button("/ask-as-no-data-provider"));
            browser.screenshot("demo-403");
            assertEquals(List.of("Refused with status 403"), outcomes(browser));
            browser.submit(button("/ask-with-a-wrong-key"));
            browser.screenshot("demo-503");
            assertEquals(List.of("Refused with status 503"), outcomes(browser));

            browser.submit(button("/ask", "both"));
            assertEquals(List.of("Accepted", "Accepted"), outcomes(browser));
            List<String> subs = texts(browser, By.cssSelector("#members tbody tr:first-child td"));
            assertEquals(2, subs.size());
            assertNotEquals(subs.get(0), subs.get(1));
            assertEquals(22, browser.findAll(By.cssSelector(".checks .PASSED")).size());

            browser.submit(button("/sign-out", "ask"));
            browser.screenshot("demo-signed-out");
            assertEquals(
                    List.of("Rejected: the token is not active", "Rejected: the token is not active"),
                    outcomes(browser));
        }
    }

    /** Keycloak then sends the browser back to the town hall, with an answer to a request that was answered before. */
    @Test
    void whoPressesBackAfterASignInStaysSignedIn() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, "nadia");
            browser.fill(
                    By.id("code"), mailServer.newestCode("nadia@example.org").orElseThrow());
            browser.submit(By.id("kc-login"));
            browser.find(By.id("second-factor"));
            for (int back = 1; back <= 2; back++) {
                browser.until(chrome -> {
                    chrome.navigate().back();
                    return true;
                });
                browser.until(chrome -> chrome.getCurrentUrl().startsWith(pages.url()));
                browser.screenshot("demo-back-" + back);
                assertEquals(
                        "You are signed in, Nadia Fatima Benali",
                        browser.find(By.tagName("h1")).getText());
            }
        }
    }

    @Test
    void signsOut() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, "camille");
            browser.submit(By.cssSelector("form[action='/sign-out'] button:not([name])"));
            assertEquals("You are signed out", browser.find(By.tagName("h1")).getText());
            browser.screenshot("demo-signed-out-alone");
            browser.open(pages.url());
            browser.submit(button("/sign-in"));
            browser.find(By.id("password"));
        }
    }

    /** Otherwise a data provider could read the user's id in the access token, which is the same for all of them. */
    @Test
    void accessTokenHasNoSubject() {
        String token = federation.town().signIn("camille", "openid").accessToken();
        assertFalse(Tokens.claims(token).has("sub"));
    }

    @Test
    void writesDatesInTheLanguageOfThePage() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            browser.open(pages.url());
            String people = browser.find(By.cssSelector(".people")).getText();
            assertTrue(people.contains("14 mars 1988"), people);
            assertTrue(people.contains("date de naissance 1951\n"), people);
        }
    }

    @Test
    void hasAnIcon() {
        HttpResponse<String> icon = Http.send(Http.request(pages.url() + "icon.svg"));
        assertTrue(icon.headers().firstValue("Content-Type").orElse("").startsWith("image/svg+xml"));
    }

    /** The town hall does not notice that, so for it the person is still signed in. */
    @Test
    void personWhoseSessionWasEndedSignsInAgain() {
        AdminApi admin = federation.admin();
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, "camille");
            admin.post(admin.user("camille") + "/logout", Map.of());
            browser.submit(button("/ask", "tax"));
            assertEquals(List.of("Rejected: the token is not active"), outcomes(browser));

            signInAgain(browser, "camille");
            browser.submit(button("/ask", "tax"));
            assertEquals(List.of("Accepted"), outcomes(browser));
        }
    }

    /** In both languages, each wide and light, and narrow and dark. */
    @Test
    void everyPagePassesAxeAndFitsANarrowScreen() {
        List<String> problems = new ArrayList<>();
        for (Locale language : List.of(Locale.FRENCH, Locale.ENGLISH)) {
            try (ChromeBrowser browser = ChromeBrowser.start(language)) {
                signIn(browser, language.equals(Locale.FRENCH) ? "nadia" : "camille");
                if (language.equals(Locale.FRENCH)) {
                    browser.fill(
                            By.id("code"),
                            mailServer.newestCode("nadia@example.org").orElseThrow());
                    browser.submit(By.id("kc-login"));
                }
                browser.submit(button("/ask", "both"));
                problems.addAll(problems(browser, language + "-light", PAGES));
                browser.narrow().dark();
                problems.addAll(problems(browser, language + "-dark-narrow", PAGES));
                problems.addAll(problems(browser, language + "-dark-narrow", OTHER_PAGES));
            }
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void speaksTheLanguageOfTheBrowserUntilAnotherOneIsChosen() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            browser.open(pages.url());
            assertEquals(
                    "Se connecter à la mairie", browser.find(By.tagName("h1")).getText());
            browser.submit(button("/language"));
            assertEquals(
                    "Sign in at the town hall", browser.find(By.tagName("h1")).getText());
        }
    }

    @Test
    void tellsWithoutAmrThatTheTownHallHasToAsk() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(pages.url());
            browser.click(By.name("amr"));
            browser.click(By.cssSelector("[value=tax_income]"));
            browser.click(By.cssSelector("[value=eidas2]"));
            browser.submit(button("/sign-in"));
            new SignInPage(browser).password("camille");
            assertEquals(
                    "The town hall did not ask how you signed in, so the ID token has no amr.",
                    firstSentence(browser, By.id("second-factor")));
            browser.submit(button("/ask", "tax"));
            assertEquals(List.of("Rejected: you gave no access"), outcomes(browser));
        }
    }

    @Test
    void acceptsNoFormOfAnotherSite() {
        HttpResponse<String> response = Http.send(Http.form(pages.url() + "sign-in", Map.of("amr", "yes")));
        assertEquals(403, response.statusCode());
        assertTrue(response.body().contains("This form has expired"), response.body());
    }

    @Test
    void acceptsNoSignInThatThisBrowserHasNotBegun() {
        HttpResponse<String> response =
                Http.send(Http.request(pages.url() + "sp-town/callback?code=somebody&state=somebody"));
        assertEquals(400, response.statusCode());
        assertTrue(response.body().contains("does not belong to a sign-in"), response.body());
    }

    @Test
    void saysThatTheBrowserCameBackWithoutACode() {
        HttpResponse<String> response = Http.send(Http.request(pages.url() + "sp-town/callback?state=somebody"));
        assertEquals(400, response.statusCode());
        assertTrue(response.body().contains("came back without an answer"), response.body());
    }

    @Test
    void allowsNoScriptAndHidesItsCookieFromScripts() {
        HttpResponse<String> response = Http.send(Http.request(pages.url()));
        String policy = response.headers().firstValue("Content-Security-Policy").orElseThrow();
        String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
        assertAll(
                () -> assertTrue(policy.startsWith("default-src 'none'; style-src 'self'"), policy),
                () -> assertTrue(cookie.endsWith("; HttpOnly; SameSite=Lax"), cookie));
    }

    @Test
    void opensAnAnswerForCurl() {
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        String answer = federation.health().post(token).body();
        String text = Http.send(Http.form(pages.answerService(), answer)).body();
        assertTrue(text.contains("\"scope\": \"health_rights\""), text);
        assertTrue(text.endsWith("Passed: the identity data say that the token is that of a person\n"), text);
    }

    private SignInPage signIn(ChromeBrowser browser, String username) {
        browser.open(pages.url());
        return signInHere(browser, username);
    }

    /** Begins at the page that says that a token is not active. */
    private static SignInPage signInAgain(ChromeBrowser browser, String username) {
        browser.submit(By.linkText("Sign in again"));
        return signInHere(browser, username);
    }

    private static SignInPage signInHere(ChromeBrowser browser, String username) {
        browser.submit(button("/sign-in"));
        return new SignInPage(browser).password(username);
    }

    /** Opens pages that a person who is signed in can see. */
    private List<String> problems(ChromeBrowser browser, String variant, List<String> addresses) {
        List<String> problems = new ArrayList<>();
        for (String page : addresses) {
            browser.open(pages.url() + page);
            String name = "demo-" + page.replaceAll("/.*", "") + "-" + variant;
            browser.screenshot(name);
            browser.axe().forEach(violation -> problems.add(name + ": " + violation));
            browser.cutWords().forEach(word -> problems.add(name + ": cuts the word " + word));
            if (browser.overflow() != 0) {
                problems.add(name + ": " + browser.overflow() + " pixels too wide");
            }
        }
        return problems;
    }

    private static By button(String action) {
        return By.cssSelector("form[action='" + action + "'] button");
    }

    private static By button(String action, String value) {
        return By.cssSelector("form[action='" + action + "'] button[value=" + value + "]");
    }

    private static List<String> outcomes(ChromeBrowser browser) {
        return texts(browser, OUTCOME);
    }

    private static List<String> texts(ChromeBrowser browser, By by) {
        return browser.findAll(by).stream().map(WebElement::getText).toList();
    }

    private static String firstSentence(ChromeBrowser browser, By by) {
        return browser.find(by).getText().split("(?<=\\.) ")[0];
    }
}
