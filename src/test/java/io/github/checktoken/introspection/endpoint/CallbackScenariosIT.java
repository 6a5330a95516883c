package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;

import com.nimbusds.oauth2.sdk.util.MultivaluedMapUtils;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What FranceConnect and ProConnect test where their identity providers send the person back. Here this is Keycloak's
 * address for the provider.
 */
@Tag("long")
@ExtendWith(KeycloakExtension.class)
class CallbackScenariosIT {

    private static final String PROVIDER = "identity-provider";

    private final Federation federation;
    private final ServiceProvider town;
    private final Browser browser;
    private final String callback;

    CallbackScenariosIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.browser = new Browser(federation.server());
        this.callback = federation.url() + "/broker/" + PROVIDER + "/endpoint?";
    }

    /** Keycloak 26.5 answers 502 where something is missing, as if the provider could not be reached. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "code=unknown | 400 | Missing state parameter in response from identity provider.",
                "error=invalid_scope | 400 | Missing state parameter in response from identity provider.",
                "code=unknown&state= | 400 | Missing state parameter in response from identity provider.",
                "code=unknown&state=unknown | 400 | Invalid Request",
                "error=invalid_scope&state=unknown | 400 | Invalid Request",
                "state=%s | 400 | Missing code or error parameter in response from identity provider.",
                "code=&state=%s | 400 | Missing code or error parameter in response from identity provider.",
                "code=unknown&state=%s | 502 | Unexpected error when authenticating with identity provider"
            })
    void answerIsRefusedWithAnErrorPage(String answer, int status, String text) {
        HttpResponse<String> page = browser.get(callback + answer.formatted(stateOfALogin()));

        boolean isOlder = System.getProperty("keycloak.version").startsWith("26.5.");
        assertPage(isOlder && text.startsWith("Missing") ? 502 : status, page);
        assertShows(text, page);
    }

    /** As after all cookies have been deleted. */
    @Test
    void answerInAnotherBrowserIsRefusedWithAnErrorPage() {
        HttpResponse<String> page =
                new Browser(federation.server()).get(callback + "code=unknown&state=" + stateOfALogin());

        assertPage(400, page);
        assertShows("your browser no longer has its cookie", page);
    }

    /** The person can sign in in another way then. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error=invalid_scope | Unexpected error when authenticating with identity provider",
                "error=invalid_scope&error_description=<b>Not+here</b>"
                        + " | Unexpected error when authenticating with identity provider",
                "error=access_denied&error_description=Not+here | Access denied when authenticating with",
            })
    void errorOfTheProviderLeadsBackToTheLogin(String answer, String text) {
        String state = stateOfALogin();
        HttpResponse<String> page =
                browser.get(callback + answer.replace("<", "%3C").replace(">", "%3E") + "&state=" + state);

        assertPage(200, page);
        assertShows(text, page);
        assertTrue(!page.body().contains("Not here"), page::body);
        assertHas("#kc-form-login", page);
        assertEquals(
                "fc pwd", town.redeem(browser.givePassword(page, "camille")).amr());
    }

    @Test
    void providerThatMayNotAskThePersonLeadsBackToTheServiceProvider() {
        HttpResponse<String> redirect = browser.get(callback + "error=login_required&state=" + stateOfALogin());

        String location = redirect.headers().firstValue("Location").orElse("");
        assertEquals(302, redirect.statusCode(), redirect::body);
        assertTrue(location.startsWith("http://localhost:8999/sp-town/callback?error=login_required&"), location);
    }

    /** @return what Keycloak sends to the provider as {@code state} */
    private String stateOfALogin() {
        AuthorizationRequest request = town.request().at("/api/v2/authorize").askingForAmr();
        HttpResponse<String> page = browser.chooseProvider(browser.get(request.url()), PROVIDER);
        return MultivaluedMapUtils.getFirstValue(
                URLUtils.parseParameters(page.uri().getRawQuery()), "state");
    }

    private static void assertPage(int status, HttpResponse<String> page) {
        assertEquals(status, page.statusCode(), page::body);
        assertTrue(page.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
    }
}
