package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.LabelledFlow;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/**
 * Asks for the PIN by the clicks of the page about it, in a new realm for each of the three requirements that the
 * guide describes.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
@Isolated("The browser must not wait for pages while another class keeps the processors busy with kcadm.sh.")
class PinGuideIT {

    private static final Path GUIDE = Path.of("docs/pin-and-email-code.md");
    private static final String DIRECT_GRANT = "Close the direct grant";
    private static final String CONDITION = "Condition - user configured";
    private static final String PIN = "739154";
    private static final String WRONG_PIN = "508263";
    private static final Map<String, String> HAS_PIN = StoredSecret.credential("pin", PIN);

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final FreshRealm required;
    private final FreshRealm conditional;
    private final FreshRealm alternative;
    private ClickedGuide guide;
    private LabelledFlow flow;

    PinGuideIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.required = new FreshRealm(server);
        this.conditional = new FreshRealm(server);
        this.alternative = new FreshRealm(server);
    }

    @BeforeAll
    void click() throws IOException {
        guide = ClickedGuide.open(GUIDE, server);
        flow = guide.flow();
        // Only the flow of the reset is clicked. What it needs besides is not in this guide.
        conditional
                .admin()
                .update(
                        "",
                        realm -> realm.put("resetPasswordAllowed", true).putPOJO("smtpServer", mailServer.settings()));
        requireForm();
        closeDirectGrant();
        addConditionalSubFlow();
        addPinToDirectGrant();
        addPinToReset();
        addAlternative();
    }

    private void requireForm() throws IOException {
        duplicateBrowserFlow(required);
        flow.openPlus(guide.says("forms"));
        flow.picture(guide.shows("flow-plus"), "forms");
        flow.chooseFromPlus("Add execution", "PIN form");
        require("PIN form", "Required");
        flow.bind("Browser flow");
    }

    private void addConditionalSubFlow() throws IOException {
        duplicateBrowserFlow(conditional);
        flow.addSubFlowTo("forms", guide.says("PIN"));
        flow.addConditionTo("PIN", CONDITION);
        flow.addTo("PIN", "PIN form");
        flow.requireBelow("PIN", CONDITION, "Required");
        require("PIN form", "Required");
        require("PIN", "Conditional");
        flow.bind("Browser flow");
    }

    private void addAlternative() throws IOException {
        duplicateBrowserFlow(alternative);
        flow.addTo(guide.says("2FA"), "PIN form");
        require("PIN form", "Alternative");
        flow.bind("Browser flow");
    }

    private void addPinToReset() throws IOException {
        guide.follow("Ask for it", "The other ways in");
        guide.console().menu("Authentication");
        flow.duplicate("reset credentials", "Copy of reset credentials");
        flow.require(guide.says("Reset - Conditional OTP"), "Disabled");
        flow.addSubFlow(guide.says("PIN after a reset"));
        flow.addConditionTo("PIN after a reset", CONDITION);
        flow.addTo("PIN after a reset", "PIN form");
        flow.requireBelow("PIN after a reset", CONDITION, "Required");
        require("PIN form", "Required");
        require("PIN after a reset", "Conditional");
        flow.addSubFlow(guide.says("OTP after a reset"));
        flow.addConditionTo("OTP after a reset", CONDITION);
        flow.addTo("OTP after a reset", guide.says("OTP Form"));
        flow.requireBelow("OTP after a reset", CONDITION, "Required");
        require("OTP Form", "Required");
        require("OTP after a reset", "Conditional");
        flow.bind("Reset credentials flow");
    }

    private void duplicateBrowserFlow(FreshRealm realm) throws IOException {
        guide.follow("Ask for it");
        guide.openRealm(realm.name());
        LabelledConsole console = guide.console();
        console.menu("Authentication");
        console.tab("Required actions");
        assertEquals(
                "Updated required action successfully",
                console.messageAfter(() -> console.setInRow("Configure PIN", "Enabled", true)));
        console.menu("Authentication");
        flow.duplicate("browser", "Copy of browser");
    }

    private void closeDirectGrant() throws IOException {
        guide.follow(DIRECT_GRANT);
        LabelledConsole console = guide.console();
        console.menu("Authentication");
        console.button("Create flow");
        console.fill("Name", guide.says("no direct grant"));
        assertEquals(guide.says("Basic flow"), console.chosen("Flow type"));
        assertEquals("Flow created", console.messageAfter(() -> console.button("Create")));
        flow.add("Deny access");
        require("Deny access", "Required");
        flow.bind("Direct grant flow");
    }

    private void addPinToDirectGrant() throws IOException {
        guide.follow("Ask for it", DIRECT_GRANT);
        guide.console().menu("Authentication");
        flow.duplicate("direct grant", "Copy of direct grant");
        flow.addSubFlow(guide.says("PIN direct grant"));
        flow.addConditionTo("PIN direct grant", CONDITION);
        flow.addTo("PIN direct grant", "PIN (direct grant)");
        flow.requireBelow("PIN direct grant", CONDITION, "Required");
        require("PIN (direct grant)", "Required");
        require("PIN direct grant", "Conditional");
        flow.bind("Direct grant flow");
    }

    private void require(String row, String requirement) {
        assertEquals("Disabled", flow.requirement(row));
        flow.require(row, requirement);
    }

    @AfterAll
    void closeBrowser() {
        if (guide != null) {
            guide.close();
        }
    }

    @Test
    void requiredFormAsksForThePin() {
        assertAsksForThePin(required, required.newPerson(HAS_PIN));
    }

    @Test
    void requiredFormLetsAPersonWithoutAPinChooseOne() {
        String person = required.newPerson();
        Browser browser = required.browser();
        HttpResponse<String> page = givePassword(required, browser, person);
        assertShows("Choose a PIN", page);
        required.serviceProvider().redeem(browser.submit(page, Map.of("pin-new", PIN, "pin-confirm", PIN)));
        assertAsksForThePin(required, person);
    }

    @Test
    void requiredFormComesAfterTheOneTimePassword() {
        String person = required.newPerson(HAS_PIN, Totp.credential());
        Browser browser = required.browser();
        HttpResponse<String> page = givePassword(required, browser, person);
        page = browser.submit(page, Map.of("otp", Totp.code()));
        assertShows("Enter your PIN", page);
        required.serviceProvider().redeem(browser.submit(page, Map.of("pin", PIN)));
    }

    @Test
    void conditionalSubFlowAsksForThePin() {
        assertAsksForThePin(conditional, conditional.newPerson(HAS_PIN));
    }

    @Test
    void conditionalSubFlowDoesNotAskAPersonWithoutAPin() {
        conditional.signInWithPassword(conditional.newPerson());
    }

    @Test
    void alternativeFormAsksForThePin() {
        assertAsksForThePin(alternative, alternative.newPerson(HAS_PIN));
    }

    @Test
    void alternativeFormDoesNotAskAPersonWithoutAPin() {
        alternative.signInWithPassword(alternative.newPerson());
    }

    @Test
    void alternativeFormIsOneOfTwoWays() {
        // Keycloak first offers the credential that comes first.
        String person = alternative.newPerson(Totp.credential(), HAS_PIN);
        Browser browser = alternative.browser();
        HttpResponse<String> page = givePassword(alternative, browser, person);
        alternative.serviceProvider().redeem(browser.submit(page, Map.of("otp", Totp.code())));
    }

    /** Each realm also rejects a wrong password, with the message of the password form. */
    @Test
    void wrongPasswordIsRejected() {
        for (FreshRealm realm : List.of(required, conditional, alternative)) {
            Browser browser = realm.browser();
            HttpResponse<String> page = browser.submit(
                    browser.get(realm.request()), Map.of("username", realm.newPerson(), "password", "wrong"));
            assertShows("Invalid username or password.", page);
        }
    }

    @Test
    void closedDirectGrantRejectsEverybody() {
        assertEquals(401, required.directGrant(required.newPerson(), Map.of()));
    }

    @Test
    void directGrantNeedsThePin() {
        String person = conditional.newPerson(HAS_PIN);
        int rejected = conditional.directGrant(person, Map.of("pin", PIN, "password", "wrong"));
        assertNotEquals(200, rejected);
        assertEquals(rejected, conditional.directGrant(person, Map.of()));
        assertEquals(rejected, conditional.directGrant(person, Map.of("pin", WRONG_PIN)));
        assertEquals(200, conditional.directGrant(person, Map.of("pin", PIN)));
    }

    @Test
    void directGrantNeedsNoPinFromAPersonWithoutOne() {
        assertEquals(200, conditional.directGrant(conditional.newPerson(), Map.of()));
    }

    @Test
    void resetOfThePasswordNeedsThePin() {
        Browser browser = conditional.browser();
        HttpResponse<String> page = openResetLink(browser, conditional.newPerson(HAS_PIN));
        HttpResponse<String> wrong = browser.submit(page, Map.of("pin", WRONG_PIN));
        assertShows("Enter your PIN", wrong);
        setNewPassword(browser, browser.submit(wrong, Map.of("pin", PIN)));
    }

    @Test
    void resetOfThePasswordNeedsTheOneTimePassword() {
        Browser browser = conditional.browser();
        HttpResponse<String> page = openResetLink(browser, conditional.newPerson(Totp.credential()));
        HttpResponse<String> wrong = browser.submit(page, Map.of("otp", "000000"));
        assertShows("Invalid authenticator code.", wrong);
        setNewPassword(browser, browser.submit(wrong, Map.of("otp", Totp.code())));
    }

    @Test
    void resetOfThePasswordNeedsNoPinFromAPersonWithoutOne() {
        Browser browser = conditional.browser();
        setNewPassword(browser, openResetLink(browser, conditional.newPerson()));
    }

    private HttpResponse<String> openResetLink(Browser browser, String person) {
        HttpResponse<String> login = browser.get(conditional.request());
        HttpResponse<String> form = browser.follow(login, "[href*=/login-actions/reset-credentials]");
        browser.submit(form, Map.of("username", person));
        return browser.get(mailServer.mailsTo(person + "@example.org").get(0).link());
    }

    private void setNewPassword(Browser browser, HttpResponse<String> page) {
        conditional
                .serviceProvider()
                .redeem(browser.submit(
                        page, Map.of("password-new", "new-password", "password-confirm", "new-password")));
    }

    private static void assertAsksForThePin(FreshRealm realm, String person) {
        Browser browser = realm.browser();
        HttpResponse<String> page = givePassword(realm, browser, person);
        assertShows("Enter your PIN", page);
        HttpResponse<String> wrong = browser.submit(page, Map.of("pin", WRONG_PIN));
        assertEquals(200, wrong.statusCode());
        assertShows("Enter your PIN", wrong);
        realm.serviceProvider().redeem(browser.submit(wrong, Map.of("pin", PIN)));
    }

    private static HttpResponse<String> givePassword(FreshRealm realm, Browser browser, String person) {
        return browser.givePassword(browser.get(realm.request()), person);
    }
}
