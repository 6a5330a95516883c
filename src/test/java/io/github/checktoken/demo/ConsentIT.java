package io.github.checktoken.demo;

import java.net.http.HttpResponse;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Keycloak's consent page in the demo realm, whose service providers ask for no consent unless somebody changes it. */
@ExtendWith(KeycloakExtension.class)
class ConsentIT {

    private static final String SCOPES = "openid given_name tax_income health_rights";

    private final Federation federation;
    private final AdminApi admin;
    private final ServiceProvider town;
    private final Browser browser;

    ConsentIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.town = federation.town();
        this.browser = new Browser(federation.server());
    }

    @BeforeEach
    void requireConsent() {
        admin.update(admin.client("sp-town"), client -> client.put("consentRequired", true));
    }

    @AfterEach
    void requireNone() {
        // Also deletes the consents that people have given.
        admin.send("DELETE", admin.user("camille") + "/consents/sp-town", null);
        admin.update(admin.client("sp-town"), client -> client.put("consentRequired", false));
    }

    @Test
    void pageListsTheScopesAndNoDataProvider() {
        HttpResponse<String> page = consentPage(SCOPES);
        assertShows("Given names", page);
        assertShows("Income, from the tax office", page);
        assertFalse(HtmlPage.of(page).text("body").contains("dp-tax"));
        assertFalse(HtmlPage.of(page).text("body").contains("amr"));
    }

    @Test
    void pageNamesTheServiceInThePersonsLanguage() {
        assertShows("Demo town hall", consentPage(SCOPES));
        Browser other = new Browser(federation.server());
        String request =
                town.request().with("scope", SCOPES).with("ui_locales", "fr").url();
        HttpResponse<String> french = other.givePassword(other.get(request), "camille");
        assertShows("Mairie de démonstration", french);
        assertShows("Fédération d’identité de démonstration", french);
    }

    @Test
    void refusalGivesNoToken() {
        HttpResponse<String> redirect = browser.submit(consentPage(SCOPES), Map.of("cancel", "No"));
        String location = redirect.headers().firstValue("Location").orElseThrow();
        assertTrue(location.contains("error=access_denied"), location);
        assertFalse(location.contains("code="), location);
    }

    /** As the person does it in the account console. */
    @Test
    void withdrawnConsentEndsTheTokens() {
        Tokens tokens = town.redeem(browser.submit(consentPage(SCOPES), Map.of("accept", "Yes")));
        assertEquals(
                "tax_income",
                federation.tax().check(tokens.accessToken()).introspection().get("scope"));

        admin.delete(admin.user("camille") + "/consents/sp-town");

        assertEquals(
                Map.of("active", false),
                federation.tax().check(tokens.accessToken()).introspection());
    }

    private HttpResponse<String> consentPage(String scope) {
        return browser.givePassword(
                browser.get(town.request().with("scope", scope).url()), "camille");
    }
}
