package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.examples.RunningExample;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.page.AdminConsolePage;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Registers a data provider in the demo realm as the administrator's guide says, in a real browser, up to the answer that
 * the programs of the other two guides get. Each label that is clicked must be in the section that is followed. With {@code
 * -Dscreenshots}, the pictures of the guide are taken.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
@Isolated("The browser must not wait for pages while another class keeps the processors busy with kcadm.sh.")
class RegisterDataProviderIT {

    private static final Path GUIDE = Path.of("docs/administrator.md");
    private static final Path IMAGES = Path.of("docs/images");
    private static final Path PROGRAMS = Path.of("docs/examples");
    private static final Path NODE_MODULES = Path.of("src/test/node/node_modules");

    private final Federation federation;
    private final AdminApi admin;
    private final Set<String> pictures = new TreeSet<>();
    private Path folder;
    private ChromeBrowser browser;
    private JwksServer jwks;
    private LabelledConsole console;
    private GuideSection section;
    private String secret;
    private int clicks;
    private int fields;

    RegisterDataProviderIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeAll
    void register(@TempDir Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Bash.find("node");
        Files.createSymbolicLink(folder.resolve("node_modules"), NODE_MODULES.toAbsolutePath());
        for (String program :
                Set.of("data-provider/keys.mjs", "data-provider/check.mjs", "service-provider/login.mjs")) {
            Path file = PROGRAMS.resolve(program);
            Files.copy(file, folder.resolve(file.getFileName()));
        }
        run("node keys.mjs RSA-OAEP-256");
        jwks = new JwksServer(federation.server());
        jwks.serve(Files.readString(folder.resolve("jwks.json")));

        browser = ChromeBrowser.start(Locale.ENGLISH);
        AdminConsolePage.signIn(
                browser, federation.server(), "master", KeycloakServer.ADMIN, KeycloakServer.ADMIN_PASSWORD);
        console = new LabelledConsole(browser, label -> section.assertQuotes(label));
        follow("Register a data provider");
        console.menu("Manage realms");
        // Only the server of the tests has so many realms that their list has pages.
        new LabelledConsole(browser, label -> {}).search(federation.realm());
        console.row(federation.realm());
        createScope();
        createClient();
        enterAddressOfKeys();
        chooseScopes();
        createMapper();
        clicks = console.clicks();
        fields = console.fields();
        evaluate();
    }

    private void createScope() throws IOException {
        follow("1. Create its own scopes");
        console.menu("Client scopes");
        console.button("Create client scope");
        console.fill("Name", "water_bills");
        assertEquals("None", console.chosen("Type"));
        console.set("Include in token scope", true);
        picture("register-scope");
        assertEquals("Client scope created", console.messageAfter(() -> console.button("Save")));

        openServiceProvider();
        addScope("water_bills", "Optional");
    }

    private void openServiceProvider() {
        console.menu("Clients");
        console.search("sp-town");
        console.link("sp-town");
        console.tab("Client scopes");
    }

    private void createClient() throws IOException {
        follow("2. Create the client");
        console.menu("Clients");
        console.button("Create client");
        assertEquals("OpenID Connect", console.chosen("Client type"));
        console.fill("Client ID", "dp-water");
        console.fill("Name", "Water supplier");
        console.button("Next");
        console.set("Client authentication", true);
        console.set("Standard flow", false);
        picture("register-flows");
        console.button("Next");
        assertEquals("Client created successfully", console.messageAfter(() -> console.button("Save")));
        console.tab("Credentials");
        secret = console.content("Client Secret");
        LogSearch.add("client secret", secret);
    }

    private void enterAddressOfKeys() throws IOException {
        follow("3. Give it the data provider's public key");
        console.tab("Keys");
        console.set("Use JWKS URL", true);
        console.fill("JWKS URL", "https://water.example.org/jwks.json");
        picture("register-keys");
        console.fill("JWKS URL", jwks.url());
        assertEquals("Client successfully updated", console.messageAfter(() -> console.button("Save")));
    }

    private void chooseScopes() throws IOException {
        follow("4. Choose what it learns");
        console.tab("Client scopes");
        console.tab("Setup");
        do {
            console.selectAll();
            console.openTableMenu();
            // The last page of the list, which is the shortest, stays.
            picture("register-remove");
            assertEquals(
                    "Scope mapping successfully removed", console.messageAfter(() -> console.tableMenuItem("Remove")));
        } while (console.rows() > 1);
        addScope("water_bills", "Optional");
        addScope("identity", "Default");
        picture("register-client-scopes");
    }

    private void addScope(String scope, String type) {
        console.button("Add client scope");
        console.searchInDialog(scope);
        console.select(scope);
        assertEquals("Scope mapping updated", console.messageAfter(() -> console.menuItem("Add", type)));
    }

    private void createMapper() throws IOException {
        follow("5. Make it a data provider");
        console.link("dp-water-dedicated");
        console.button("Configure a new mapper");
        pictures.add("register-mapper-types");
        console.pictureOfList("register-mapper-types", "Data provider");
        console.listItem("Data provider");
        console.fill("Name", "Data provider");
        // Where nothing is chosen, the console shows the label.
        assertEquals("Signature", console.chosen("Signature"));
        assertEquals("RSA-OAEP-256", console.chosen("Key encryption"));
        assertEquals("A256GCM", console.chosen("Content encryption"));
        picture("register-mapper");
        assertEquals("Mapping successfully created", console.messageAfter(() -> console.button("Save")));
    }

    private void evaluate() throws IOException {
        follow("Register a service provider");
        openServiceProvider();
        console.tab("Evaluate");
        console.type("Scope parameter", "water_bills");
        console.type("Users", "camille");
        console.tab("Generated access token");
        assertEquals(
                "openid water_bills",
                Http.json(console.generatedAccessToken()).get("scope").asText());
        picture("register-evaluate");
    }

    private void follow(String heading) throws IOException {
        section = GuideSection.of(GUIDE, heading);
    }

    private void picture(String name) {
        pictures.add(name);
        console.picture(name);
    }

    @AfterAll
    void cleanUp() {
        if (browser != null) {
            browser.close();
        }
        if (jwks != null) {
            jwks.close();
        }
        if (admin.get("/clients?clientId=dp-water").size() > 0) {
            admin.delete(admin.client("dp-water"));
        }
        admin.delete("/client-scopes/" + admin.clientScope("water_bills"));
    }

    @Test
    void dataProviderReadsWhoThePersonIs() throws IOException, InterruptedException {
        JsonNode answer = check(accessToken());
        assertTrue(answer.get("active").asBoolean(), answer::toString);
        assertEquals("sp-town", answer.path("aud").asText());
        assertEquals("eidas1", answer.path("acr").asText());
        assertEquals("water_bills", answer.path("scope").asText());
        assertEquals("Moreau", answer.path("family_name").asText());
        assertEquals(
                "[\"Camille\",\"Louise\",\"Marie\"]",
                answer.path("given_name_array").toString());
    }

    /** The section "Check it" says so. */
    @Test
    void anyTextIsNotActive() throws IOException, InterruptedException {
        assertEquals("{\"active\":false}", check("any-text").toString());
    }

    @Test
    void guideHasThePicturesThatAreTakenHere() throws IOException {
        assertEquals(pictures, GuideSection.images(GUIDE, "register-"));
        for (String picture : pictures) {
            assertTrue(Files.exists(IMAGES.resolve(picture + ".png")), picture);
        }
    }

    @Test
    void guideSaysHowManyClicksThereAre() throws IOException {
        String text = GuideSection.of(GUIDE, "Register a data provider").text();
        String counted = clicks + " clicks and " + fields + " text fields";
        assertTrue(text.contains(counted), () -> counted + " is not in: " + text);
    }

    /** Signs camille in at sp-town with the program of the service provider guide. */
    private String accessToken() {
        ServiceProvider town = federation.town();
        Map<String, String> environment = Map.of(
                "REALM", federation.url(),
                "CLIENT_ID", town.clientId(),
                "CLIENT_SECRET", town.secret(),
                "REDIRECT_URI", "http://localhost:8999/sp-town/callback",
                "SCOPE", "openid given_name family_name water_bills");
        try (RunningExample login = new RunningExample("node login.mjs", folder, environment)) {
            browser.open(login.await("(?m)^Open (\\S+)$"));
            new SignInPage(browser).password("camille").callback();
            String token = login.await("(?m)^Access token, only to try with: (\\S+)$");
            LogSearch.add("access token", token);
            return token;
        }
    }

    /** @return what the program of the data provider guide prints */
    private JsonNode check(String token) throws IOException, InterruptedException {
        String answer = run("node check.mjs '" + token + "'");
        LogSearch.add("decrypted answer", answer);
        return Http.json(answer);
    }

    private String run(String command) throws IOException, InterruptedException {
        Map<String, String> environment = secret == null
                ? Map.of()
                : Map.of("REALM", federation.url(), "CLIENT_ID", "dp-water", "CLIENT_SECRET", secret);
        Result result = Bash.run(folder, environment, "-c", command);
        assertEquals(0, result.status(), result.output());
        return result.output();
    }
}
