package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.AuthenticatorReference;
import io.github.checktoken.support.flow.StepUpFlow;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests which methods amr reports for what a person did. {@link AmrWebAuthnIT} tests those that need WebAuthn. */
@ExtendWith(KeycloakExtension.class)
class AmrMethodsIT {

    private static final String PIN = "271828";

    private final Federation federation;
    private final ServiceProvider town;
    private final AdminApi admin;
    private final Browser browser;
    private final List<Runnable> undo = new ArrayList<>();

    AmrMethodsIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
        this.admin = federation.admin();
        this.browser = new Browser(federation.server());
    }

    @AfterEach
    void undo() {
        for (int last = undo.size() - 1; last >= 0; last--) {
            undo.get(last).run();
        }
    }

    @Test
    void passwordIsPwd() {
        assertAmr("fc pwd", town.open(browser, "camille", asking()));
    }

    @Test
    void passwordAndCodeByEmailArePwdAndMailWithoutMfa() {
        try (MailServer mail = new MailServer(federation.server())) {
            withRealm(realm -> realm.set("smtpServer", Http.JSON.valueToTree(mail.settings())));
            HttpResponse<String> page = town.open(browser, "nadia", asking());
            String code = mail.mailsTo("nadia@example.org").get(0).code();
            assertAmr("fc pwd mail", browser.submit(page, Map.of("code", code)));
        }
    }

    @Test
    void passwordAndOneTimePasswordAreMfa() {
        DemoPerson person = personWithTotp();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        assertAmr("fc pwd mfa", browser.submit(page, Map.of("otp", Totp.code())));
    }

    @Test
    void choosingAPinIsNotUsingOne() {
        assertAmr("fc pwd", choosePin(personWithoutPin(), browser));
    }

    @Test
    void passwordAndPinAreTwoThingsThatAPersonKnows() {
        DemoPerson person = personWithPin();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        assertAmr("fc pwd pin", browser.submit(page, Map.of("pin", PIN)));
    }

    @Test
    void selfRegistrationIsNoMethod() {
        withRealm(realm -> realm.put("registrationAllowed", true));
        String name = "person-" + UUID.randomUUID();
        HttpResponse<String> page = browser.get(
                asking().at("/protocol/openid-connect/registrations").url());
        HttpResponse<String> after = browser.submit(
                page,
                Map.of(
                        "username",
                        name,
                        "password",
                        "demo-password",
                        "password-confirm",
                        "demo-password",
                        "email",
                        name + "@example.org"));
        undo.add(() -> admin.delete(admin.user(name)));
        assertAmr("fc", after);
    }

    @Test
    void forcedReauthenticationReplacesTheMethods() {
        DemoPerson person = personWithPin();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        assertAmr("fc pwd pin", browser.submit(page, Map.of("pin", PIN)));
        person.removeCredential("pin");
        page = browser.get(asking().with("prompt", "login").url());
        assertAmr("fc pwd", browser.submit(page, Map.of("password", "demo-password")));
        assertAmr("fc pwd", browser.get(asking().url()));
    }

    @Test
    void reauthenticationAfterMaxAgeReplacesTheMethods() {
        DemoPerson person = personWithPin();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        assertAmr("fc pwd pin", browser.submit(page, Map.of("pin", PIN)));
        person.removeCredential("pin");
        Waiting.untilAllIsOlderThan(1);
        page = browser.get(asking().with("max_age", "1").url());
        assertAmr("fc pwd", browser.submit(page, Map.of("password", "demo-password")));
    }

    @Test
    void stepUpAddsItsMethodToTheSession() {
        DemoPerson person = personWithTotp();
        withStepUpFlow();
        ServiceProvider bank = federation.bank();
        Tokens first = bank.signIn(browser, person.name(), bank.request().askingForAmr());
        assertEquals("fc pwd", first.amr());
        HttpResponse<String> page = browser.get(
                bank.request().askingForAmr().with("acr_values", "eidas2").url());
        Tokens second = bank.redeem(browser.submit(page, Map.of("otp", Totp.code())));
        assertEquals("fc pwd mfa", second.amr());
        assertEquals("eidas2", second.acr());
        assertEquals("fc pwd", bank.refresh(first).amr());
        assertEquals("fc pwd mfa", bank.refresh(second).amr());
        assertEquals("fc pwd mfa", town.redeem(browser.get(asking().url())).amr());
    }

    /** Methods that are not released still count towards mfa: kba is knowledge, otp is possession. */
    @ParameterizedTest
    @CsvSource({"kba, fc mfa", "sc, fc sc", "badge, fc badge", "mfa, fc", "pop, fc pop"})
    void referenceOfTheAdministratorWins(String reference, String amr) {
        DemoAmrMapper mapper = new DemoAmrMapper(admin).with("amr.released.values", "pwd##pop##sc##badge##mfa");
        undo.add(mapper::restore);
        withReference("auth-username-password-form", Map.of("default.reference.value", reference));
        DemoPerson person = personWithTotp();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        assertAmr(amr, browser.submit(page, Map.of("otp", Totp.code())));
    }

    @Test
    void referenceOfTheAdministratorHoldsForItsMaxAge() {
        // The rest of the login and the code's exchange have to fit into the time.
        withReference("auth-otp-form", Map.of("default.reference.value", "otp", "default.reference.maxAge", "3"));
        DemoPerson person = personWithTotp();
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        Tokens tokens = town.redeem(browser.submit(page, Map.of("otp", Totp.code())));
        assertEquals("fc pwd mfa", tokens.amr());
        Waiting.untilAllIsOlderThan(3);
        assertEquals("fc pwd", town.refresh(tokens).amr());
        assertAmr("fc pwd", browser.get(asking().url()));
    }

    @Test
    void methodsAreRecordedWithTheRealmsEventsOff() {
        withRealm(realm -> {
            realm.put("eventsEnabled", false);
            realm.putArray("eventsListeners");
        });
        assertAmr("fc pwd", town.open(browser, "camille", asking()));
    }

    private AuthorizationRequest asking() {
        return town.request().askingForAmr();
    }

    /** Checks the amr of the ID token, and that the ID token and the answer of checktoken both have the acr eidas1. */
    private void assertAmr(String amr, HttpResponse<String> redirect) {
        Tokens tokens = town.redeem(redirect);
        assertEquals(amr, tokens.amr());
        assertEquals("eidas1", tokens.acr());
        assertEquals(
                "eidas1",
                federation.tax().check(tokens.accessToken()).introspection().get("acr"));
    }

    private DemoPerson person(List<Map<String, String>> credentials, String... requiredActions) {
        DemoPerson person = new DemoPerson(admin, credentials, List.of(requiredActions));
        undo.add(person::close);
        return person;
    }

    private DemoPerson personWithTotp() {
        return person(List.of(DemoPerson.PASSWORD, Totp.credential()));
    }

    private DemoPerson personWithoutPin() {
        return person(List.of(DemoPerson.PASSWORD), "configure-pin");
    }

    private DemoPerson personWithPin() {
        DemoPerson person = personWithoutPin();
        choosePin(person, new Browser(federation.server()));
        return person;
    }

    private HttpResponse<String> choosePin(DemoPerson person, Browser browser) {
        HttpResponse<String> page = town.open(browser, person.name(), asking());
        return browser.submit(page, Map.of("pin-new", PIN, "pin-confirm", PIN));
    }

    private void withRealm(Consumer<ObjectNode> change) {
        JsonNode before = admin.get("");
        undo.add(() -> admin.put("", before));
        admin.update("", change);
    }

    private void withReference(String authenticator, Map<String, String> config) {
        AuthenticatorReference reference = new AuthenticatorReference(admin, authenticator, config);
        undo.add(reference::close);
    }

    /** Gives sp-bank a login flow in which level 1 is the password and level 2 the one-time password. */
    private void withStepUpFlow() {
        StepUpFlow flow = new StepUpFlow(admin);
        undo.add(flow::delete);
        String bank = admin.client("sp-bank");
        admin.update(
                bank,
                client -> client.putObject("authenticationFlowBindingOverrides").put("browser", flow.id()));
        undo.add(() -> admin.update(
                bank,
                client -> client.putObject("authenticationFlowBindingOverrides").put("browser", "")));
        withRealm(realm -> ((ObjectNode) realm.get("attributes")).put("acr.loa.map", "{\"eidas1\":1,\"eidas2\":2}"));
    }
}
