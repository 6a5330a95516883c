package io.github.checktoken.login.condition;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.realm.MfaElsewhereRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** The recipe "skip the one-time password if the provider did mfa", and the condition in flows of the browser. */
@ExtendWith(KeycloakExtension.class)
class AuthenticationMethodConditionIT {

    private static final String OTP = "[name=otp]";

    private static MfaElsewhereRealm realm;

    private final Browser browser = realm.browser();

    @BeforeAll
    static void create(KeycloakServer server) {
        realm = new MfaElsewhereRealm(server);
    }

    @AfterEach
    void guardAndTrust() {
        guard("on");
        realm.setMapper(Map.of("amr.trust.mfa", "true"));
    }

    @Test
    void oneTimePasswordIsSkippedIfTheProviderDidMfa() {
        String person = person("pwd", "mfa");
        assertEquals("pwd mfa", redeem("password", realm.signInThere(browser, person, url("password"))));
    }

    @ParameterizedTest
    @CsvSource({"pwd, true", "mfa, false", "nobody-knows, true"})
    void oneTimePasswordIsAskedForIfTheProviderDidNoMfaOrIsNotTrustedForIt(String method, String trust) {
        realm.setMapper(Map.of("amr.trust.mfa", trust));
        HttpResponse<String> page = realm.signInThere(browser, person(method), url("password"));
        assertHas(OTP, page);
        String amr = redeem("password", giveCode(page));
        assertEquals(method.equals("pwd") ? "pwd otp mfa" : "otp", amr);
    }

    @Test
    void nothingCountsWhereTheGuardIsOff() {
        guard("off");
        assertHas(OTP, realm.signInThere(browser, person("pwd", "mfa"), url("password")));
        HttpResponse<String> page =
                browser.submit(browser.get(url("otp-if-password")), Map.of("username", person("pwd")));
        page = browser.submit(page, Map.of("password", "demo-password"));
        assertNotNull(ServiceProvider.code(page));
    }

    @Test
    void whatWasUsedInThisLoginCountsFromThenOn() {
        HttpResponse<String> page =
                browser.submit(browser.get(url("otp-if-password")), Map.of("username", person("pwd")));
        page = browser.submit(page, Map.of("password", "demo-password"));
        assertHas(OTP, page);
        assertEquals("pwd otp mfa", redeem("otp-if-password", giveCode(page)));
    }

    @Test
    void sessionThatProvedItIsEnoughAtSingleSignOn() {
        String person = person("pwd");
        redeem("password-then-otp", giveCode(signIn(person, "password-then-otp")));
        assertEquals("pwd otp mfa", redeem("otp-unless-mfa", browser.get(url("otp-unless-mfa"))));
    }

    @Test
    void sessionWithThePasswordAloneStepsUpAtSingleSignOn() {
        redeem("password", signIn(person("pwd"), "password"));
        HttpResponse<String> page = browser.get(url("otp-unless-mfa"));
        assertHas(OTP, page);
        assertEquals("pwd otp mfa", redeem("otp-unless-mfa", giveCode(page)));
    }

    @Test
    void methodsOfTheSessionThatAreTooOldForTheRequestDoNotCount() {
        String person = person("pwd");
        redeem("password-then-otp", giveCode(signIn(person, "password-then-otp")));
        for (String limit : List.of("prompt=login", "max_age=0")) {
            String[] parameter = limit.split("=");
            String url = request("no-cookie").with(parameter[0], parameter[1]).url();
            assertHas(OTP, browser.givePassword(browser.get(url), person));
        }
        String tolerant = request("no-cookie").with("max_age", "600").url();
        assertEquals("pwd otp mfa", redeem("no-cookie", browser.givePassword(browser.get(tolerant), person)));
    }

    @Test
    void sessionOfSomebodyElseDoesNotCount() {
        redeem("password-then-otp", giveCode(signIn(person("pwd"), "password-then-otp")));
        assertHas(OTP, browser.givePassword(browser.get(url("no-cookie")), person("pwd")));
    }

    @Test
    void providersReportForSomebodyElseDoesNotCount() {
        String other = person("pwd", "mfa");
        HttpResponse<String> login = browser.get(url("otp-unless-mfa"));
        realm.signInThere(browser, other, url("password"));
        assertHas(OTP, browser.givePassword(login, person("pwd")));
    }

    private static String person(String... amr) {
        return realm.newPerson(Map.of("amr", List.of(amr)));
    }

    private static AuthorizationRequest request(String flow) {
        return realm.client(flow).request().without("acr_values").askingForAmr();
    }

    private static String url(String flow) {
        return request(flow).url();
    }

    private HttpResponse<String> signIn(String person, String flow) {
        return browser.givePassword(browser.get(url(flow)), person);
    }

    private HttpResponse<String> giveCode(HttpResponse<String> page) {
        return browser.submit(page, Map.of("otp", Totp.code()));
    }

    private static String redeem(String flow, HttpResponse<String> end) {
        return realm.client(flow).redeem(end).amr();
    }

    private static void guard(String value) {
        realm.admin().update("", json -> json.withObject("/attributes").put("checktoken.login.gate", value));
    }
}
