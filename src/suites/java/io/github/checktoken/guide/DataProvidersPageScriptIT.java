package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs {@code docs/data-providers-page.sh} for a realm that has nothing of this project, and opens the page there. */
@ExtendWith(KeycloakExtension.class)
@Tag("guides")
class DataProvidersPageScriptIT {

    private final KeycloakServer server;

    DataProvidersPageScriptIT(KeycloakServer server) {
        this.server = server;
    }

    @Test
    void realmHasThePageAfterTheScript(@TempDir Path folder) throws IOException, InterruptedException {
        Bash.find("jq");
        FreshRealm realm = new FreshRealm(server);
        String kcadm = Bash.keycloakBin().resolve("kcadm.sh").toString();
        Result signIn = Bash.run(
                folder,
                Map.of(),
                "-c",
                "%s config credentials --server %s --realm master --user %s"
                        .formatted(kcadm, server.baseUrl(), KeycloakServer.ADMIN));
        assertEquals(0, signIn.status(), signIn.output());
        Result script = Bash.run(
                folder,
                Map.of("KCADM", kcadm, "REALM_NAME", realm.name()),
                Path.of("docs/data-providers-page.sh").toAbsolutePath().toString());
        assertEquals(0, script.status(), script.output());

        AdminApi admin = realm.admin();
        String management = admin.client("realm-management");
        try (DemoPerson person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
                ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            admin.post(
                    admin.user(person.name()) + "/role-mappings" + management,
                    List.of(admin.get(management + "/roles/view-data-providers")));
            browser.open(server.realmUrl(realm.name()) + "/data-providers");
            new SignInPage(browser).password(person.name());
            assertEquals(
                    "There is none.",
                    browser.find(By.cssSelector("body > main:not([aria-busy]) > p"))
                            .getText());
        }
    }
}
