package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.examples.RunningExample;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.page.LabelledConsole;
import io.github.checktoken.support.page.SignInPage;
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
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Makes the realm of {@code docs/own-realm.md} by clicks, up to the answer that the programs of that page get. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
@Isolated("The browser must not wait for pages while another class keeps the processors busy with kcadm.sh.")
class OwnRealmByClicksIT {

    private static final Path GUIDE = Path.of("docs/own-realm.md");
    private static final String SECTION = "Import the realm in the Admin Console";
    private static final int MOST_CLICKS = 60;

    private final KeycloakServer server;
    private final String realm = "clicked-" + UUID.randomUUID();
    private Path folder;
    private JwksServer jwks;
    private ClickedGuide guide;
    private LabelledConsole console;
    private String secretOfTown;
    private String secretOfWater;

    OwnRealmByClicksIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeAll
    void click(@TempDir Path folder) throws IOException, InterruptedException {
        assumeFalse(
                System.getProperty("keycloak.version").startsWith("26.5."),
                "The guide says that Keycloak 26.5 needs the script.");
        this.folder = folder;
        Bash.find("node");
        Path modules = Path.of("src/test/node/node_modules").toAbsolutePath();
        Files.createSymbolicLink(folder.resolve("node_modules"), modules);
        for (String program :
                Set.of("data-provider/keys.mjs", "data-provider/check.mjs", "service-provider/login.mjs")) {
            Path file = Path.of("docs/examples", program);
            Files.copy(file, folder.resolve(file.getFileName()));
        }
        run("node keys.mjs");
        jwks = new JwksServer(server);
        jwks.serve(Files.readString(folder.resolve("jwks.json")));

        guide = ClickedGuide.open(GUIDE, server);
        guide.follow(SECTION);
        console = guide.console();
        importRealm();
        switchPinOn();
        createScope();
        importProviders();
        copySecrets();
        setPassword();
    }

    private void importRealm() {
        console.menu("Manage realms");
        console.button("Create realm");
        console.chooseFile("Browse...", Path.of("docs", guide.says("own-realm.json")));
        console.fill("Realm name", realm);
        assertEquals("Realm created successfully", console.messageAfter(() -> console.dialogButton("Create")));
        console.awaitRealm("Identity federation");
    }

    private void switchPinOn() {
        console.menu("Authentication");
        console.tab("Required actions");
        assertEquals(
                "Updated required action successfully",
                console.messageAfter(() -> console.setInRow("Configure PIN", "Enabled", true)));
    }

    private void createScope() {
        console.menu("Client scopes");
        console.button("Create client scope");
        console.fill("Name", guide.says("water_bills"));
        assertEquals(guide.says("None"), console.chosen("Type"));
        console.set("Include in token scope", true);
        assertEquals("Client scope created", console.messageAfter(() -> console.button("Save")));
    }

    private void importProviders() {
        console.menu("Realm settings");
        console.menuItem("Action", "Partial import");
        console.chooseFile("Browse...", Path.of("docs", guide.says("own-realm-providers.json")));
        console.set("1 Users", true);
        console.set("2 Clients", true);
        console.dialogButton("Import");
        String imported = console.dialogWith("Close");
        assertTrue(imported.contains("3 records added."), imported);
        console.dialogButton("Close");
    }

    private void copySecrets() {
        openClient("dp-water");
        console.tab("Keys");
        console.fill("JWKS URL", jwks.url());
        assertEquals("Client successfully updated", console.messageAfter(() -> console.button("Save")));
        console.tab("Credentials");
        secretOfWater = secret();

        openClient("sp-town");
        console.tab("Credentials");
        secretOfTown = secret();
    }

    private void openClient(String clientId) {
        console.menu("Clients");
        console.link(clientId);
    }

    private String secret() {
        String secret = console.content("Client Secret");
        LogSearch.add("client secret", secret);
        return secret;
    }

    private void setPassword() {
        console.menu("Users");
        console.link("camille");
        console.tab("Credentials");
        console.button("Set password");
        console.fill("Password", "demo-password");
        console.fill("Password confirmation", "demo-password");
        console.set("Temporary", false);
        console.dialogButton("Save");
        assertEquals(
                "The password has been set successfully.",
                console.messageAfter(() -> console.dialogButton("Save password")));
    }

    @AfterAll
    void close() {
        if (guide != null) {
            guide.close();
        }
        if (jwks != null) {
            jwks.close();
        }
    }

    @Test
    void firstLoginIsEidas1WithAmrAndDataProviderReadsWhoThePersonIs() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("login.sh"), block("login.mjs", ""));
        String token;
        try (RunningExample login = new RunningExample("bash login.sh", folder, Map.of());
                ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(login.await("(?m)^Open (\\S+)$"));
            new SignInPage(browser).password("camille").callback();
            JsonNode claims = Http.json(login.await("(?m)^ID token: (.+)$"));
            assertEquals("eidas1", claims.path("acr").asText());
            assertEquals("[\"pwd\"]", claims.path("amr").toString());
            token = login.await("(?m)^Access token, only to try with: (\\S+)$");
            LogSearch.add("access token", token);
        }

        String decrypted = run(block("check.mjs", token));
        LogSearch.add("decrypted answer", decrypted);
        JsonNode answer = Http.json(decrypted);
        assertTrue(answer.get("active").asBoolean(), answer::toString);
        assertEquals("eidas1", answer.path("acr").asText());
        assertEquals("water_bills", answer.path("scope").asText());
        assertEquals("Moreau", answer.path("family_name").asText());
        assertEquals("1988-03-14", answer.path("birthdate").asText());
    }

    @Test
    void guideSaysHowManyClicksThereAre() throws IOException {
        assertTrue(console.clicks() <= MOST_CLICKS, () -> console.clicks() + " clicks");
        String text = GuideSection.of(GUIDE, SECTION).text();
        String counted = console.clicks() + " clicks and " + console.fields() + " text fields";
        assertTrue(text.contains(counted), () -> counted + " is not in: " + text);
    }

    /** @return the block of the section that runs a program, with the values of this realm */
    private String block(String program, String token) throws IOException {
        List<String> blocks = MarkdownBlocks.of(GUIDE).stream()
                .filter(block -> block.section().equals(SECTION))
                .map(MarkdownBlocks.Block::text)
                .filter(text -> text.contains(program))
                .toList();
        assertEquals(1, blocks.size());
        return blocks.get(0)
                .replace(
                        "http://localhost:8080/realms/federation",
                        server.realmUrl(realm).toString())
                .replace("SECRET_OF_SP_TOWN", secretOfTown)
                .replace("SECRET_OF_DP_WATER", secretOfWater)
                .replace("ACCESS_TOKEN", token);
    }

    private String run(String command) throws IOException, InterruptedException {
        Result result = Bash.run(folder, Map.of(), "-c", command);
        assertEquals(0, result.status(), result.output());
        return result.output();
    }
}
