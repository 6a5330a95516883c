package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.LabelledFlow;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Makes every login {@code eidas1} by the clicks of the page about {@code acr}, and then adds the PIN to this flow as the
 * page about the PIN says.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
@Isolated("The browser must not wait for pages while another class keeps the processors busy with kcadm.sh.")
class AcrGuideIT {

    private static final Path GUIDE = Path.of("docs/acr-and-amr.md");
    private static final Path PIN_GUIDE = Path.of("docs/pin-and-email-code.md");
    private static final String SECTION = "A level of assurance (`acr`)";
    private static final String CONDITION = "Condition - Level of Authentication";
    private static final String PIN = "739154";

    private final FreshRealm realm;
    private final KeycloakServer server;
    private String withoutPin;

    AcrGuideIT(KeycloakServer server) {
        this.server = server;
        this.realm = new FreshRealm(server);
    }

    @BeforeAll
    void click() throws IOException {
        withoutPin = realm.newPerson();
        try (ClickedGuide guide = ClickedGuide.open(GUIDE, server)) {
            guide.openRealm(realm.name());
            guide.follow(SECTION);
            mapLevel(guide);
            createFlow(guide);
            requireAsInTheTable(guide);
            guide.flow().picture(guide.shows("flow-eidas1"), "OTP Form");
            guide.flow().bind("Browser flow");

            guide.turnTo(PIN_GUIDE);
            guide.follow("Ask for it");
            switchPinOn(guide);
            addPin(guide);
        }
    }

    private static void mapLevel(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        console.menu("Realm settings");
        console.tab("General");
        console.button("Add ACR to LoA Mapping");
        boolean older = System.getProperty("keycloak.version").startsWith("26.5.");
        console.fillColumn(older ? "Key" : "ACR", guide.says("eidas1"));
        console.fillColumn(older ? "Value" : "LoA", guide.says("1"));
        assertEquals("Realm successfully updated", console.messageAfter(() -> console.button("Save")));
    }

    private static void createFlow(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        console.menu("Authentication");
        console.button("Create flow");
        console.fill("Name", guide.says("browser eidas1"));
        assertEquals(guide.says("Basic flow"), console.chosen("Flow type"));
        assertEquals("Flow created", console.messageAfter(() -> console.button("Create")));

        LabelledFlow flow = guide.flow();
        flow.add("Cookie");
        flow.add("Identity Provider Redirector");
        flow.addSubFlow("sign in");
        flow.addSubFlowTo("sign in", "eidas1");
        flow.addConditionTo("eidas1", CONDITION);
        flow.openSettings(CONDITION);
        console.fill("Alias", "eidas1");
        console.fill("Level of Authentication (LoA)", guide.says("1"));
        console.fill("Max Age", guide.says("36000"));
        assertEquals("Successfully saved the config", console.messageAfter(() -> console.dialogButton("Save")));
        flow.addTo("eidas1", "Username Password Form");
        flow.addSubFlowTo("eidas1", "one-time password");
        flow.addConditionTo("one-time password", "Condition - user configured");
        flow.addTo("one-time password", "OTP Form");
    }

    private static void requireAsInTheTable(ClickedGuide guide) throws IOException {
        String table = GuideSection.of(GUIDE, SECTION).text();
        for (String row : List.of(
                "Cookie",
                "Identity Provider Redirector",
                "sign in",
                "eidas1",
                CONDITION,
                "one-time password",
                "Condition - user configured",
                "OTP Form")) {
            Matcher inTable =
                    Pattern.compile(Pattern.quote(row) + "`? \\| (\\w+) \\|").matcher(table);
            assertTrue(inTable.find(), row);
            assertEquals("Disabled", guide.flow().requirement(row), row);
            guide.flow().require(row, inTable.group(1));
        }
        assertEquals("Required", guide.flow().requirement("Username Password Form"));
    }

    private static void switchPinOn(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        console.menu("Authentication");
        console.tab("Required actions");
        assertEquals(
                "Updated required action successfully",
                console.messageAfter(() -> console.setInRow("Configure PIN", "Enabled", true)));
    }

    /** The flow is in use, so people must be able to sign in after each click. */
    private void addPin(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        LabelledFlow flow = guide.flow();
        console.menu("Authentication");
        console.row("browser eidas1");
        List<Runnable> steps = List.of(
                () -> flow.addSubFlowTo(guide.says("eidas1"), guide.says("PIN")),
                () -> flow.addConditionTo("PIN", "Condition - user configured"),
                () -> flow.addTo("PIN", "PIN form"),
                () -> flow.requireBelow("PIN", "Condition - user configured", "Required"),
                () -> flow.require("PIN form", "Required"),
                () -> flow.require("PIN", "Conditional"));
        for (Runnable step : steps) {
            step.run();
            assertEquals("eidas1", realm.signInWithPassword(withoutPin).acr());
        }
    }

    @Test
    void loginIsEidas1AndSoIsSingleSignOnWithoutAnotherPrompt() {
        Browser browser = realm.browser();
        HttpResponse<String> form = browser.get(realm.request());
        assertEquals(200, form.statusCode());
        Tokens first = realm.serviceProvider().redeem(browser.givePassword(form, realm.newPerson()));
        assertEquals("eidas1", first.acr());
        Tokens second = realm.serviceProvider().redeem(browser.get(realm.request()));
        assertEquals("eidas1", second.acr());
    }

    @Test
    void requestForTheLevelGetsIt() {
        assertEquals(
                "eidas1",
                realm.serviceProvider().signIn(realm.newPerson(), "openid").acr());
    }

    @Test
    void wrongPasswordIsRejected() {
        Browser browser = realm.browser();
        HttpResponse<String> form = browser.get(realm.request());
        assertShows(
                "Invalid username or password.",
                browser.submit(form, Map.of("username", realm.newPerson(), "password", "wrong")));
    }

    @Test
    void personWithAOneTimePasswordIsAskedForIt() {
        String person = realm.newPerson(Totp.credential());
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.givePassword(browser.get(realm.request()), person);
        HttpResponse<String> wrong = browser.submit(page, Map.of("otp", "000000"));
        assertShows("Invalid authenticator code.", wrong);
        Tokens tokens = realm.serviceProvider().redeem(browser.submit(wrong, Map.of("otp", Totp.code())));
        assertEquals("eidas1", tokens.acr());
    }

    @Test
    void personWithAPinIsAskedForIt() {
        String person = realm.newPerson(StoredSecret.credential("pin", PIN));
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.givePassword(browser.get(realm.request()), person);
        HttpResponse<String> wrong = browser.submit(page, Map.of("pin", "508263"));
        assertEquals(200, wrong.statusCode());
        assertShows("Enter your PIN", wrong);
        Tokens tokens = realm.serviceProvider().redeem(browser.submit(wrong, Map.of("pin", PIN)));
        assertEquals("eidas1", tokens.acr());
    }
}
