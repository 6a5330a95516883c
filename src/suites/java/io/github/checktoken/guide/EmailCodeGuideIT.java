package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.LabelledFlow;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
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

/** Asks for a code by e-mail by the clicks of the page about it, in a new realm. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
@Isolated("The browser must not wait for pages while another class keeps the processors busy with kcadm.sh.")
class EmailCodeGuideIT {

    private static final Path GUIDE = Path.of("docs/pin-and-email-code.md");
    private static final String SECTION = "E-mail one-time code";

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final FreshRealm realm;

    /** An administrator without an e-mail address. */
    private final String administrator = "administrator-" + UUID.randomUUID();

    private String administratorPath;

    EmailCodeGuideIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.realm = new FreshRealm(server);
    }

    @BeforeAll
    void click() throws IOException {
        createAdministrator();
        try (ClickedGuide guide = ClickedGuide.open(GUIDE, server, administrator, "demo-password")) {
            guide.openRealm(realm.name());
            guide.follow(SECTION);
            fillInMailServer(guide);
            giveAddressToAdministrator(guide);
            guide.openRealm(realm.name());
            testConnection(guide);
        }
        try (ClickedGuide guide = ClickedGuide.open(GUIDE, server)) {
            guide.openRealm(realm.name());
            guide.follow("Ask for it", SECTION);
            addForm(guide);
        }
    }

    private void createAdministrator() {
        AdminApi master = new AdminApi(server, "master");
        String id = master.create(
                "/users",
                Map.of("username", administrator, "enabled", true, "credentials", List.of(DemoPerson.PASSWORD)));
        administratorPath = "/users/" + id;
        master.post(administratorPath + "/role-mappings/realm", List.of(master.get("/roles/admin")));
    }

    private void fillInMailServer(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        Map<String, String> settings = mailServer.settings();
        console.menu("Realm settings");
        console.tab("Email");
        console.fill("From", settings.get("from"));
        console.fill("Host", settings.get("host"));
        console.fill("Port", settings.get("port"));
        assertEquals("Realm successfully updated", console.messageAfter(() -> console.button("Save")));
    }

    private static void giveAddressToAdministrator(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        console.button("Configure e-mail address");
        console.fill("Email", "administrator@example.org");
        assertEquals("The user has been saved", console.messageAfter(() -> console.button("Save")));
    }

    private void testConnection(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        console.menu("Realm settings");
        console.tab("Email");
        assertEquals(
                "Success! SMTP connection successful. E-mail was sent!",
                console.messageAfter(() -> console.button("Test connection")));
        assertEquals(1, mailServer.mailsTo("administrator@example.org").size());
    }

    private static void addForm(ClickedGuide guide) {
        LabelledConsole console = guide.console();
        LabelledFlow flow = guide.flow();
        console.menu("Authentication");
        flow.duplicate("browser", "Copy of browser");
        flow.addTo("forms", "E-mail one-time code");
        assertEquals("Disabled", flow.requirement("E-mail one-time code"));
        flow.require("E-mail one-time code", "Required");
        flow.bind("Browser flow");
    }

    @AfterAll
    void deleteAdministrator() {
        if (administratorPath != null) {
            new AdminApi(server, "master").delete(administratorPath);
        }
    }

    @Test
    void everybodyIsAskedForACode() {
        for (String person : List.of(realm.newPerson(), realm.newPerson())) {
            Browser browser = realm.browser();
            HttpResponse<String> page = browser.givePassword(browser.get(realm.request()), person);
            String code = mailServer.newestCode(person + "@example.org").orElseThrow();
            realm.serviceProvider().redeem(browser.submit(page, Map.of("code", code)));
        }
    }

    @Test
    void wrongCodeIsRejected() {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.givePassword(browser.get(realm.request()), person);
        String code = mailServer.newestCode(person + "@example.org").orElseThrow();
        String wrongCode = (code.startsWith("1") ? "2" : "1") + code.substring(1);
        HttpResponse<String> wrong = browser.submit(page, Map.of("code", wrongCode));
        assertEquals(200, wrong.statusCode());
        realm.serviceProvider().redeem(browser.submit(wrong, Map.of("code", code)));
    }

    @Test
    void wrongPasswordIsRejectedAndNoCodeIsSent() {
        String person = realm.newPerson();
        Browser browser = realm.browser();
        HttpResponse<String> form = browser.get(realm.request());
        assertShows(
                "Invalid username or password.", browser.submit(form, Map.of("username", person, "password", "wrong")));
        assertEquals(List.of(), mailServer.mailsTo(person + "@example.org"));
    }

    @Test
    void personWithoutAVerifiedAddressSeesWhyThereIsNoCode() {
        String person = realm.newPerson();
        realm.admin().update(realm.admin().user(person), user -> user.put("emailVerified", false));
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.givePassword(browser.get(realm.request()), person);
        assertEquals(List.of(), mailServer.mailsTo(person + "@example.org"));
        assertShows("your account has no verified e-mail address", page);
    }
}
