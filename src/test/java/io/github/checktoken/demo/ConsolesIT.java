package io.github.checktoken.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.page.AccountConsolePage;
import io.github.checktoken.support.page.AdminConsolePage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Opens Keycloak's own consoles in each realm that this repository ships, in a real browser. */
@ExtendWith(KeycloakExtension.class)
class ConsolesIT {

    private final Federation federation;
    private final KeycloakServer server;

    ConsolesIT(Federation federation) {
        this.federation = federation;
        this.server = federation.server();
    }

    @Test
    void demoRealmOpensBoth() {
        assertAccountConsoleShows("Camille Louise Marie Moreau", federation.realm(), "camille");
        assertAdminConsoleOpens(federation.realm());
    }

    @Test
    void realmOfTheIdentityProviderOpensBoth() {
        assertAccountConsoleShows("Jeanne Odette Robert", federation.upstream(), "jeanne");
        assertAdminConsoleOpens(federation.upstream());
    }

    /** As the Admin Console imports the two files; {@code OwnRealmIT} has the realm that the script makes. */
    @Test
    void ownRealmOpensBoth() throws IOException {
        assumeFalse(
                System.getProperty("keycloak.version").startsWith("26.5."),
                "The guide says that Keycloak 26.5 needs the script.");
        String realm = "own-realm-" + UUID.randomUUID();
        ObjectNode json = (ObjectNode) json("own-realm.json");
        new AdminApi(server, "").create("", json.put("realm", realm));
        AdminApi admin = new AdminApi(server, realm);
        admin.post("/partialImport", json("own-realm-providers.json"));
        admin.put(admin.user("camille") + "/reset-password", DemoPerson.PASSWORD);
        assertAccountConsoleShows("Camille Louise Marie Moreau", realm, "camille");
        assertAdminConsoleOpens(realm);
    }

    private static JsonNode json(String file) throws IOException {
        return Http.json(Files.readString(Path.of("docs", file)));
    }

    private void assertAccountConsoleShows(String name, String realm, String username) {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            assertEquals(
                    name,
                    AccountConsolePage.signIn(browser, server, realm, username).name());
        }
    }

    private void assertAdminConsoleOpens(String realm) {
        AdminApi admin = new AdminApi(server, realm);
        String management = admin.client("realm-management");
        try (DemoPerson person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
                ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            admin.post(
                    admin.user(person.name()) + "/role-mappings" + management,
                    List.of(admin.get(management + "/roles/realm-admin")));
            String shown = AdminConsolePage.signIn(browser, server, realm, person.name(), "demo-password")
                    .name();
            assertEquals("Claude Martin", shown);
        }
    }
}
