package io.github.checktoken.theme;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.page.ProviderButtons;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Rectangle;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the login pages of the demo realm in a real browser, with four additional identity providers. */
@ExtendWith(KeycloakExtension.class)
@Tag("pages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginPagesIT {

    private static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.FRENCH);
    private static final List<String> FURTHER_PROVIDERS =
            List.of("Office des impôts", "Assurance maladie", "Caisse de retraite", "Université");

    private final Federation federation;
    private final AdminApi admin;
    private final MailServer mailServer;
    private final List<String> providers = new ArrayList<>();
    private DemoPerson withOtp;
    private DemoPerson withPin;
    private DemoPerson withKey;

    LoginPagesIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.mailServer = new MailServer(federation.server());
    }

    /** A page, an element that shows that it is this page, and how a person gets to it from the login page. */
    enum Page {
        SIGN_IN(By.id("username"), (test, page) -> {}),
        WRONG_PASSWORD(By.id("input-error-username"), (test, page) -> page.password("camille", "wrong")),
        OTHER_WAYS(By.className("select-auth-container"), (test, page) -> page.otherWays()),
        EMAIL_CODE(By.id("code"), (test, page) -> page.password("nadia")),
        OTP(By.id("otp"), (test, page) -> page.password(test.withOtp.name())),
        CHOOSE_PIN(By.id("pin-new"), (test, page) -> page.password("hugo")),
        PIN(By.id("pin"), (test, page) -> page.password(test.withPin.name())),
        REGISTER_PASSKEY(By.id("registerWebAuthn"), (test, page) -> page.password("ines")),
        SECURITY_KEY(
                By.id("authenticateWebAuthnButton"),
                (test, page) -> page.otherWay(2).username(test.withKey.name())),
        UNKNOWN_SERVICE(
                By.id("way-on"),
                (test, page) -> page.open(test.federation.town().request().with("client_id", "nobody"))),
        LOST_COOKIE(
                By.id("kc-error-message"), (test, page) -> page.withoutCookies().password("camille")),
        UNKNOWN_ADDRESS(By.id("way-on"), (test, page) -> page.open(test.federation.url() + "/nothing")),
        WRONG_REDIRECT(
                By.id("backToApplication"),
                (test, page) -> page.open(
                        test.federation.town().request().with("redirect_uri", "https://elsewhere.example.org/")));

        private final By mark;
        private final BiConsumer<LoginPagesIT, SignInPage> way;

        Page(By mark, BiConsumer<LoginPagesIT, SignInPage> way) {
            this.mark = mark;
            this.way = way;
        }
    }

    @BeforeAll
    void setUp() {
        admin.put("", Map.of("smtpServer", mailServer.settings()));
        FURTHER_PROVIDERS.forEach(this::provider);
        withOtp = new DemoPerson(admin, List.of(DemoPerson.PASSWORD, Totp.credential()), List.of());
        withPin = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of("configure-pin"));
        withKey = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of("webauthn-register"));
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            open(browser).withSecurityKey().password(withKey.name()).register().callback();
        }
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            open(browser).password(withPin.name()).choosePin("482915").callback();
        }
    }

    @AfterAll
    void cleanUp() {
        providers.forEach(admin::delete);
        withOtp.close();
        withPin.close();
        withKey.close();
        admin.put("", Map.of("smtpServer", Map.of()));
        mailServer.close();
    }

    @ParameterizedTest
    @EnumSource
    void passesAxeAndFitsANarrowScreen(Page shown) {
        for (Locale language : LANGUAGES) {
            try (ChromeBrowser browser = ChromeBrowser.start(language)) {
                show(browser, shown);
                String name = "page-" + shown.name().toLowerCase(Locale.ROOT);
                browser.screenshotInEveryLook(name);
                List<String> wide = browser.axe();
                browser.narrow();
                assertAll(
                        name,
                        () -> assertEquals(List.of(), wide, "wide"),
                        () -> assertEquals(List.of(), browser.axe(), "narrow"),
                        () -> assertEquals(0, browser.overflow(), "pixels too wide"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesAxeInDarkColours(Page shown) {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH).dark()) {
            show(browser, shown);
            assertEquals(List.of(), browser.axe());
        }
    }

    @Test
    void pagesOfKeysSayWhatToDoAboveTheButton() {
        for (Page keys : List.of(Page.REGISTER_PASSKEY, Page.SECURITY_KEY)) {
            try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
                show(browser, keys);
                assertTrue(browser.find(By.id("kc-page-title")).getText().contains("ecurity key or passkey"));
                int help = browser.find(By.id("key-help")).getLocation().getY();
                assertTrue(help < browser.find(keys.mark).getLocation().getY());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "en, Sign in to continue to Demo town hall.",
        "fr, Connectez-vous pour continuer vers Mairie de démonstration."
    })
    void signInPageNamesTheServiceAboveTheForm(Locale language, String words) {
        try (ChromeBrowser browser = ChromeBrowser.start(language)) {
            open(browser);
            assertEquals(words, browser.find(By.id("service")).getText());
            int service = browser.find(By.id("service")).getLocation().getY();
            assertTrue(service
                    < browser.find(By.id("kc-social-providers")).getLocation().getY());
        }
    }

    @Test
    void pageOfAnUnknownAddressHasATitle() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            show(browser, Page.UNKNOWN_ADDRESS);
            assertEquals(browser.find(By.id("kc-page-title")).getText(), browser.title());
        }
    }

    /** There is nothing to choose if the realm has no identity provider. */
    @ParameterizedTest
    @CsvSource({"en, Sign in", "fr, Connexion"})
    void pageIsCalledSignInWithIdentityProvidersAndWithASingleForm(Locale language, String title) {
        FreshRealm single = new FreshRealm(federation.server());
        single.admin()
                .put(
                        "",
                        Map.of(
                                "loginTheme",
                                "checktoken",
                                "internationalizationEnabled",
                                true,
                                "supportedLocales",
                                List.of("en", "fr")));
        try (ChromeBrowser browser = ChromeBrowser.start(language)) {
            open(browser);
            assertEquals(title, browser.find(By.id("kc-page-title")).getText());
            browser.open(single.request());
            browser.find(Page.SIGN_IN.mark);
            assertEquals(title, browser.find(By.id("kc-page-title")).getText());
        }
    }

    @Test
    void identityProvidersAreLargeButtonsOneBelowTheOther() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            open(browser);
            ProviderButtons buttons = new ProviderButtons(browser);
            List<Rectangle> rectangles = buttons.rectangles();
            assertEquals(1 + FURTHER_PROVIDERS.size(), rectangles.size());
            for (Rectangle button : rectangles) {
                assertTrue(button.height >= 56, "height " + button.height);
                assertEquals(buttons.listWidth(), button.width);
            }
        }
    }

    @Test
    void identityProvidersComeBeforeTheForm() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            open(browser);
            assertEquals(1 + FURTHER_PROVIDERS.size(), new ProviderButtons(browser).beforeTheForm());
        }
    }

    @Test
    void passwordSignsInWithoutJavaScript() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH).withoutJavaScript()) {
            SignInPage page = open(browser);
            browser.screenshot("page-sign_in-without-javascript");
            assertTrue(page.password("camille").callback().contains("code="));
        }
    }

    @Test
    void identityProviderIsChosenWithoutJavaScript() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH).withoutJavaScript()) {
            open(browser);
            new ProviderButtons(browser).choose("identity-provider");
            browser.until(driver -> driver.getCurrentUrl().contains("/realms/" + federation.upstream() + "/"));
        }
    }

    @Test
    void mailsWearTheSameColours() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            show(browser, Page.EMAIL_CODE);
        }
        String html = mailServer.mailsTo("nadia@example.org").get(0).html();
        assertTrue(html.contains("#0b5d61"), html);
    }

    @Test
    void nothingComesFromAnotherHost() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.FRENCH)) {
            open(browser);
            List<String> loaded = browser.loaded();
            assertTrue(loaded.stream().anyMatch(url -> url.endsWith("/login/checktoken/css/checktoken.css")));
            String own = federation.server().baseUrl() + "/";
            assertEquals(
                    List.of(),
                    loaded.stream().filter(url -> !url.startsWith(own)).toList());
        }
    }

    private SignInPage open(ChromeBrowser browser) {
        return new SignInPage(browser).open(federation.town().request());
    }

    private void show(ChromeBrowser browser, Page page) {
        page.way.accept(this, open(browser));
        browser.find(page.mark);
    }

    private void provider(String name) {
        String alias = "pages-" + providers.size();
        Map<String, String> config = Map.of(
                "authorizationUrl", "https://login.example.org/auth",
                "tokenUrl", "https://login.example.org/token",
                "clientId", "federation",
                "clientSecret", "made-up");
        admin.create(
                "/identity-provider/instances",
                Map.of("alias", alias, "displayName", name, "providerId", "oidc", "enabled", true, "config", config));
        providers.add("/identity-provider/instances/" + alias);
    }
}
