package io.github.checktoken.login.broker;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.MfaElsewhereRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A level that the table of the provider's mapper gives to the provider's {@code acr}. */
@ExtendWith(KeycloakExtension.class)
class ProviderLevelIT {

    private static final String OTP = "[name=otp]";
    private static final String TABLE = "[{\"key\":\"urn:substantial\",\"value\":\"2\"}]";

    private static MfaElsewhereRealm realm;

    private final Browser browser = realm.browser();

    @BeforeAll
    static void create(KeycloakServer server) {
        realm = new MfaElsewhereRealm(server);
    }

    @BeforeEach
    void useTable() {
        realm.setMapper(Map.of("acr.levels", TABLE));
        realm.setPostLoginFlow("levels-after-provider");
    }

    @Test
    void conditionOfThePostLoginFlowFindsTheLevel() {
        Tokens tokens = redeem(signInThere(person("urn:substantial"), high()));
        assertEquals("eidas2", tokens.acr());
        assertEquals("pwd", tokens.amr());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | urn:substantial",
                TABLE + " | eidas2",
                TABLE + " | urn:substantial2",
                "no JSON | urn:substantial",
                "[{\"key\":\"urn:substantial\",\"value\":\"eidas2\"}] | urn:substantial"
            })
    void noLevelIsBelievedWithoutTheTable(String table, String acr) {
        realm.setMapper(Map.of("acr.levels", table));
        String person = person(acr);
        assertEquals("eidas1", redeem(signInThere(person, request())).acr());
        HttpResponse<String> page = browser.get(high().url());
        assertHas(OTP, page);
        assertEquals("eidas2", redeem(giveCode(page)).acr());
    }

    @Test
    void levelIsToldAndKeptForSingleSignOnAlthoughNobodyAskedForIt() {
        assertEquals(
                "eidas2",
                redeem(signInThere(person("urn:substantial"), request())).acr());
        assertEquals("eidas2", redeem(browser.get(high().url())).acr());
        assertEquals("eidas2", redeem(browser.get(request().url())).acr());
    }

    @Test
    void levelNeedsNoPostLoginFlow() {
        realm.setPostLoginFlow("");
        assertEquals(
                "eidas2",
                redeem(signInThere(person("urn:substantial"), request())).acr());
        assertEquals("eidas2", redeem(browser.get(high().url())).acr());
    }

    @Test
    void lowerLevelOfALaterLoginDoesNotInheritIt() {
        redeem(signInThere(person("urn:substantial"), request()));
        String forced = request().with("prompt", "login").url();
        HttpResponse<String> page = browser.get(forced);
        assertEquals(
                "eidas1",
                redeem(browser.submit(page, Map.of("password", "demo-password")))
                        .acr());
    }

    @Test
    void levelOfSomebodyElseDoesNotCount() {
        HttpResponse<String> login = browser.get(high().url());
        signInThere(person("urn:substantial"), high().with("max_age", "600"));
        HttpResponse<String> page = browser.givePassword(login, person("urn:substantial"));
        assertHas(OTP, page);
    }

    @Test
    void levelOfALoginThatWasLeftBeforeItsLastStepDoesNotCount() {
        realm.setPostLoginFlow("after a provider");
        String person = person("urn:substantial");
        HttpResponse<String> login = browser.get(high().url());
        HttpResponse<String> page = realm.signInThere(browser, person, high().url());
        assertHas(OTP, page);
        assertHas(OTP, browser.givePassword(login, person));
    }

    private static String person(String acr) {
        return realm.newPerson(Map.of("amr", List.of("pwd"), "acr", List.of(acr)));
    }

    private static AuthorizationRequest request() {
        return realm.client("step-up").request().without("acr_values").askingForAmr();
    }

    private static AuthorizationRequest high() {
        return request().with("acr_values", "eidas2");
    }

    private HttpResponse<String> signInThere(String person, AuthorizationRequest request) {
        return realm.signInThere(browser, person, request.url());
    }

    private HttpResponse<String> giveCode(HttpResponse<String> page) {
        return browser.submit(page, Map.of("otp", Totp.code()));
    }

    private static Tokens redeem(HttpResponse<String> end) {
        return realm.client("step-up").redeem(end);
    }
}
