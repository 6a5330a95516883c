package io.github.checktoken.introspection.admin;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The page on which administrators look at the data providers, in a real browser. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DataProvidersPageIT {

    private static final By HEADING = By.cssSelector("body > main:not([aria-busy]) h1");
    private static final String ATTACK = "<img/src/onerror=document.title='attacked'>";

    private final Federation federation;
    private final AdminApi admin;
    private final String page;
    private DemoPerson administrator;
    private DemoPerson other;
    private String withProblem;

    DataProvidersPageIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.page = federation.url() + "/data-providers";
    }

    @BeforeAll
    void setUp() {
        administrator = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
        other = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
        String management = admin.client("realm-management");
        admin.post(
                admin.user(administrator.name()) + "/role-mappings" + management,
                List.of(admin.get(management + "/roles/view-data-providers")));
        withProblem = federation
                .newDataProvider()
                .named("dp-000-" + UUID.randomUUID())
                .with("publicClient", true)
                .create()
                .clientId();
        String token =
                federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        DataProviderClient tax = federation.tax();
        tax.check(token);
        tax.check(token);
        tax.check("any-token");
    }

    @AfterAll
    void cleanUp() {
        administrator.close();
        other.close();
    }

    @Test
    void showsTheListWithAProblem() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            assertEquals("Data providers", heading(browser));
            String row = row(browser, withProblem);
            assertTrue(row.contains("Problem: The client is public"), row);
            assertTrue(row(browser, "dp-tax").contains("active: 2, not active: 1"), () -> row(browser, "dp-tax"));
            assertTrue(browser.find(By.tagName("caption")).getText().startsWith("Data providers 1 to "));
            assertEquals("Data providers – Demo identity federation", title(browser));
        }
    }

    @Test
    void listsThoseWithAProblem() {
        DataProviderClient good = federation.newDataProvider().create();
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            browser.click(By.linkText("With a problem or warning"));
            browser.until(chrome -> chrome.getCurrentUrl().endsWith("#show=withAProblem"));
            browser.find(By.cssSelector("nav [aria-current][href*=withAProblem]"));
            row(browser, withProblem);
            browser.click(By.linkText("Silent for longest first"));
            browser.find(By.cssSelector("nav [aria-current][href*=bySilence]"));
            List<String> names = texts(browser, "tbody th a");
            assertTrue(names.indexOf(good.clientId()) < names.indexOf("dp-tax"), names::toString);
        }
    }

    @Test
    void showsWhatADataProviderLearns() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            browser.click(By.linkText("dp-tax"));
            browser.until(chrome -> heading(browser).equals("Demo tax office (dp-tax)"));
            String text = main(browser);
            assertContains(
                    text,
                    "About each of these people, it also learns: country of birth, date of birth, place of birth,",
                    "tax_household",
                    "Demo town hall (sp-town)",
                    "\"family_name\": \"Moreau\"",
                    "\"scope\": \"tax_household tax_income\"",
                    "invalid_token: Not an access token");
            // Of twelve periods.
            assertEquals(
                    List.of(2, 1, 0), List.of(sum(browser, "active"), sum(browser, "inactive"), sum(browser, "error")));
            assertEquals(
                    heading(browser),
                    browser.until(chrome -> (String) chrome.executeScript("return document.activeElement.textContent")),
                    "screen readers are told");
        }
    }

    @Test
    void handOverSheetHasWhatDevelopersNeedAndNoSecret() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            signIn(browser, administrator);
            browser.click(By.linkText("dp-tax"));
            browser.click(By.linkText("Fiche de remise pour ses développeurs"));
            browser.until(chrome -> heading(browser).equals("Fiche de remise : Demo tax office (dp-tax)"));
            String text = main(browser);
            assertContains(
                    text,
                    "POST " + federation.url() + "/api/v2/checktoken",
                    "RSA-OAEP-256",
                    "tax_household",
                    "birthdate (date de naissance)",
                    "client_id=dp-tax&client_secret=…&token=…",
                    "\"family_name\": \"Moreau\"");
            assertFalse(text.contains(federation.tax().secret()), text);
        }
    }

    @Test
    void headerHasTheNameOfTheRealm() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            heading(browser);
            assertEquals(
                    "Demo identity federation",
                    browser.find(By.cssSelector("header .realm")).getText());
        }
    }

    /** The set of this data provider was loaded, and has no key for it. */
    @Test
    void loadThatHasFailedSaysSo() {
        String clientId =
                federation.newDataProvider().jwks("{\"keys\":[]}").create().clientId();
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(page + "#view=detail&clientId=" + clientId);
            new SignInPage(browser).password(administrator.name());
            browser.until(chrome -> main(browser).contains(", and it failed"));
        }
    }

    @Test
    void showsTheMapAndFindsANameInIt() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            browser.click(By.linkText("Map of the federation"));
            browser.until(chrome -> heading(browser).equals("Map of the federation"));
            assertContains(row(browser, "health_rights"), "Demo health insurer (dp-health)");
            assertContains(browser.find(By.cssSelector("svg.map")).getText(), "health_rights");
            browser.fill(By.cssSelector("input[type=search]"), "tax office");
            browser.until(chrome -> texts(browser, "tbody th").equals(List.of("tax_household", "tax_income")));
            assertEquals(
                    "Scopes: 2", browser.find(By.cssSelector("[role=status]")).getText());
        }
    }

    @Test
    void addressLeadsToADataProviderAlsoThroughTheSignIn() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            browser.open(page + "#view=detail&clientId=dp-health");
            new SignInPage(browser).password(administrator.name());
            browser.until(chrome -> heading(browser).equals("Demo health insurer (dp-health)"));
            assertEquals(page + "#view=detail&clientId=dp-health", browser.until(chrome -> chrome.getCurrentUrl()));
            assertContains(main(browser), "Sur chacune de ces personnes, il apprend aussi");
        }
    }

    @Test
    void languageIsThatOfTheBrowserUntilAnotherOneIsChosen() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            signIn(browser, administrator);
            assertEquals("Fournisseurs de données", heading(browser));
            assertContains(row(browser, withProblem), "Problème", "Le client est public");
            browser.click(By.cssSelector("header button"));
            browser.until(chrome -> heading(browser).equals("Data providers"));
            assertContains(row(browser, withProblem), "Problem: The client is public");
            assertEquals("en", browser.find(By.tagName("html")).getDomAttribute("lang"));
        }
    }

    @Test
    void personWithoutTheRoleIsToldWhatToDo() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, other);
            assertEquals("You may not see the data providers", heading(browser));
            assertContains(
                    main(browser),
                    "You are signed in as " + other.name(),
                    "the role view-data-providers of the client realm-management");
            assertFalse(texts(browser, "header p").stream().anyMatch(text -> text.contains("guarded")));
            assertEquals(List.of(), browser.axe());
            browser.screenshotInEveryLook("data-providers-not-allowed");
            browser.submit(By.linkText("Sign in as somebody else"));
            browser.submit(By.id("kc-logout"));
            new SignInPage(browser).password(administrator.name());
            assertEquals("Data providers", heading(browser));
        }
    }

    @Test
    void unknownDataProviderIsNotFound() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(page + "#view=detail&clientId=nobody");
            new SignInPage(browser).password(administrator.name());
            assertEquals("There is no such data provider", heading(browser));
        }
    }

    @Test
    void headerSaysWhyLoginsAreGuarded() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            assertEquals(
                    "Logins of this realm are guarded: its attribute checktoken.login.gate is on.", guard(browser));
        }
    }

    /** The realm of these tests is guarded, so the browser gets the answer of another one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            realm_off  | false, "methodsTold": false | ne sont pas protégées | mettez l’attribut à on.
            realm_off  | false, "methodsTold": true  | ne sont pas protégées | Malgré cela, amr et acr sont communiqués.
            unused     | false, "methodsTold": false | ne sont pas protégées | Par conséquent, amr et acr ne sont pas
            server_off | false, "methodsTold": false | ne sont pas protégées | retirez guard=off des options du serveur.
            server_all | true                        | sont protégées        | le serveur protège tous les realms.
            used       | true                        | sont protégées        | ou a le PIN ou le code par e-mail.
            realm_on   | true, "problem": "an option of Keycloak’s build" | sont refusées | an option of Keycloak’s build
            """)
    void headerSaysWhatToSetIfLoginsAreNotGuarded(String reason, String guarded, String state, String end) {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            signIn(browser, administrator);
            browser.until(chrome ->
                    chrome.executeScript("""
                    const [fetch, guard] = [window.fetch, arguments[0]]
                    window.fetch = (url, ...rest) =>
                        url.includes('/checktoken/guard') ? Promise.resolve(new Response(guard)) : fetch(url, ...rest)
                    return true
                    """, "{\"reason\": \"%s\", \"guarded\": %s}".formatted(reason, guarded)));
            browser.click(By.linkText("Carte de la fédération"));
            browser.until(chrome -> guard(browser).contains(state));
            assertContains(guard(browser), end);
            browser.inEveryLook(look -> {
                browser.screenshot(look + "/data-providers-guard-" + reason + "-" + guarded.length());
                assertEquals(0, browser.overflow(), look);
                assertEquals(List.of(), browser.axe(), look);
            });
            browser.click(By.cssSelector("header button"));
            browser.until(chrome -> guard(browser).contains("Logins of this realm are "));
            browser.screenshotInEveryLook("data-providers-guard-" + reason + "-" + guarded.length() + "-english");
        }
    }

    private static String guard(ChromeBrowser browser) {
        return browser.find(By.cssSelector("header .guard")).getText();
    }

    /** What an administrator of this realm or a person with a registration token can choose. */
    @Test
    void namesAreTextAndNeverMarkup() {
        String scope = ATTACK + UUID.randomUUID();
        admin.create("/client-scopes", Map.of("name", scope, "protocol", "openid-connect"));
        String clientId = federation
                .newDataProvider()
                .named("dp-001-" + ATTACK)
                .optionalScopes(scope)
                .with("name", ATTACK)
                .create()
                .clientId();
        admin.create(
                "/clients", Map.of("clientId", "sp-" + ATTACK, "name", ATTACK, "optionalClientScopes", List.of(scope)));
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            row(browser, clientId);
            assertHarmless(browser);
            browser.click(By.linkText(clientId));
            browser.until(chrome -> heading(browser).equals(ATTACK + " (" + clientId + ")"));
            assertHarmless(browser);
            browser.click(By.linkText("Map of the federation"));
            browser.until(chrome -> heading(browser).equals("Map of the federation"));
            assertHarmless(browser);
        }
    }

    private static void assertHarmless(ChromeBrowser browser) {
        assertContains(main(browser), ATTACK);
        assertEquals(0L, browser.<Long>until(chrome ->
                (Long) chrome.executeScript("return document.querySelectorAll('img').length")));
        assertFalse(title(browser).startsWith("attacked"));
    }

    @Test
    void tokensAreOnlyInMemory() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            assertEquals("Data providers", heading(browser));
            assertEquals(page, browser.until(chrome -> chrome.getCurrentUrl()));
            assertEquals(
                    List.of(0L, 0L),
                    browser.until(
                            chrome -> chrome.executeScript("return [localStorage.length, sessionStorage.length]")));
        }
    }

    /** The token is then not valid any more. */
    @Test
    void personWhoseSessionHasEndedSignsInAgain() {
        DemoPerson person = administrator;
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, person);
            heading(browser);
            admin.post(admin.user(person.name()) + "/logout", Map.of());
            browser.click(By.linkText("Map of the federation"));
            new SignInPage(browser).password(person.name());
            assertEquals("Map of the federation", heading(browser));
        }
    }

    /** As if the code were that of an attacker. */
    @ParameterizedTest
    @CsvSource({"state, another", "iss, https://elsewhere.example.org/realms/federation"})
    void answerToAnotherRequestIsRefused(String parameter, String value) {
        int refused = refusedCodes();
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(federation.url() + "/.well-known/openid-configuration");
            browser.until(chrome -> {
                chrome.executeScript("sessionStorage.setItem('data-providers-page.request',"
                        + " JSON.stringify({state: 'mine', nonce: 'n', verifier: 'v', language: 'en', hash: ''}))");
                return true;
            });
            String answer = "?code=any&state=mine&iss=" + Http.encode(federation.url());
            // Within the tab, which keeps the session storage.
            browser.until(chrome -> {
                chrome.get(page + answer.replaceAll(parameter + "=[^&]*", parameter + "=" + Http.encode(value)));
                return true;
            });
            assertEquals("The sign-in did not succeed", heading(browser));
            assertEquals(refused, refusedCodes(), "the code was sent to the server");
            assertEquals(page, browser.until(chrome -> chrome.getCurrentUrl()));
            browser.submit(By.cssSelector("main button"));
            new SignInPage(browser).password(administrator.name());
            assertEquals("Data providers", heading(browser));
        }
    }

    private int refusedCodes() {
        return admin.get("/events?type=CODE_TO_TOKEN_ERROR&client=data-providers-page&max=100")
                .size();
    }

    @Test
    void answerThatWasNotAskedForBeginsASignIn() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(page + "?code=any&state=any");
            new SignInPage(browser).password(administrator.name());
            assertEquals("Data providers", heading(browser));
        }
    }

    @Test
    void everyViewPassesAxeAndFitsANarrowScreen() {
        List<String> problems = new ArrayList<>();
        for (Locale language : List.of(Locale.ENGLISH, Locale.FRENCH)) {
            try (ChromeBrowser browser = ChromeBrowser.start(language)) {
                signIn(browser, administrator);
                for (String view : List.of(
                        "view=list", "view=detail&clientId=dp-tax", "view=handover&clientId=dp-tax", "view=map")) {
                    browser.open(page + "#" + view);
                    heading(browser);
                    browser.inEveryLook(look -> {
                        String name = look + "/data-providers-" + view.replaceAll("view=|&.*", "");
                        browser.screenshot(name);
                        browser.axe().forEach(violation -> problems.add(name + ": " + violation));
                        browser.cutWords().forEach(word -> problems.add(name + ": cuts the word " + word));
                        if (browser.overflow() != 0) {
                            problems.add(name + ": " + browser.overflow() + " pixels too wide");
                        }
                    });
                }
            }
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void worksWithTheKeyboard() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            heading(browser);
            WebElement first = browser.find(By.linkText("Map of the federation"));
            first.sendKeys("\n");
            browser.until(chrome -> heading(browser).equals("Map of the federation"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/page.js", "/sign-in.js", "/page.css"})
    void filesHaveAStrictPolicyAndAreNotKept(String file) {
        HttpResponse<String> response = Http.send(Http.request(page + file));
        assertEquals(200, response.statusCode());
        String policy = response.headers().firstValue("Content-Security-Policy").orElse("");
        assertContains(
                policy,
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';",
                "frame-ancestors 'none'; base-uri 'none'",
                "form-action 'self'");
        assertEquals(1, response.headers().allValues("Content-Security-Policy").size());
        assertEquals("no-store", header(response, "Cache-Control"));
        assertEquals("nosniff", header(response, "X-Content-Type-Options"));
        assertEquals("no-referrer", header(response, "Referrer-Policy"));
        assertEquals("max-age=31536000; includeSubDomains", header(response, "Strict-Transport-Security"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing.js", "/page.html", "/..%2fpage.js", "/page.js/x"})
    void otherFilesAreNotFound(String file) {
        assertEquals(404, Http.send(Http.request(page + file)).statusCode());
    }

    @Test
    void nothingComesFromAnotherHost() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            signIn(browser, administrator);
            heading(browser);
            String own = federation.server().baseUrl() + "/";
            assertEquals(
                    List.of(),
                    browser.loaded().stream()
                            .filter(url -> !url.startsWith(own))
                            .toList());
        }
    }

    private void signIn(ChromeBrowser browser, DemoPerson person) {
        browser.open(page);
        new SignInPage(browser).password(person.name());
        heading(browser);
    }

    private static String heading(ChromeBrowser browser) {
        return browser.find(HEADING).getText();
    }

    private static String main(ChromeBrowser browser) {
        return browser.find(By.tagName("main")).getText();
    }

    private static String title(ChromeBrowser browser) {
        return browser.until(chrome -> chrome.getTitle());
    }

    /** @return the row that begins with this name */
    private static String row(ChromeBrowser browser, String name) {
        return browser.until(chrome -> chrome.findElements(By.cssSelector("tbody tr")).stream()
                .map(WebElement::getText)
                .filter(text -> text.startsWith(name))
                .findFirst()
                .orElse(null));
    }

    private static List<String> texts(ChromeBrowser browser, String selector) {
        return browser.findAll(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    /** @return the sum of a column of the last hour */
    private static int sum(ChromeBrowser browser, String outcome) {
        int column = List.of("active", "inactive", "error").indexOf(outcome) + 2;
        return texts(browser, "table.compact tbody td:nth-child(" + column + ")").stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("").replace("no-transform, ", "");
    }

    private static void assertContains(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "no " + part + " in " + text);
        }
    }
}
