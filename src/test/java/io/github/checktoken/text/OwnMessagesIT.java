package io.github.checktoken.text;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.HtmlPage;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.PinRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which of our texts are where, and that a realm can replace them. */
@ExtendWith(KeycloakExtension.class)
class OwnMessagesIT {

    /** Keycloak's own pages show these: the choice of another way, required actions, refusals. */
    private static final Set<String> ON_KEYCLOAKS_PAGES = Set.of(
            "auth-email-code-form-display-name",
            "auth-email-code-form-help-text",
            "pin",
            "pin-display-name",
            "pin-help-text",
            "requiredAction.configure-pin",
            "secondFactorMissing",
            "secondFactorMissingPin");

    private final KeycloakServer server;
    private final PinRealm realm;

    OwnMessagesIT(KeycloakServer server, PinRealm realm) {
        this.server = server;
        this.realm = realm;
    }

    /** Keycloak copies them for each page of each realm. */
    @Test
    void loginPagesOfOtherRealmsHaveOnlyTheTextsThatKeycloaksPagesShow() {
        assertEquals(new TreeSet<>(ON_KEYCLOAKS_PAGES), ours("login"));
    }

    @Test
    void adminConsoleHasTheTextsOfOurSettings() {
        assertTrue(ours("admin").containsAll(Set.of("checktokenSalt", "checktokenSalt.help", "amr.mapping")));
    }

    @ParameterizedTest
    @CsvSource({"en, Our PIN", "fr, Saisissez votre code PIN", "de, Our PIN"})
    void realmReplacesATextInOneLanguage(String language, String title) {
        realm.admin().update("", json -> {
            json.put("internationalizationEnabled", true);
            json.putArray("supportedLocales").add("en").add("fr").add("de");
        });
        realm.admin().post("/localization/en", Map.of("pinTitle", "Our PIN"));
        Browser browser = realm.browser();
        String request = realm.client(PinRealm.PIN_FLOW).request().url() + "&ui_locales=" + language;
        assertEquals(
                title,
                HtmlPage.of(browser.givePassword(browser.get(request), realm.newPersonWithPin()))
                        .text("#kc-page-title"));
    }

    /** @return the keys of our texts that a theme of the master realm has */
    private Set<String> ours(String type) {
        Set<String> ours = new TreeSet<>();
        for (JsonNode text :
                Http.json(Http.send(Http.request(server.baseUrl() + "/resources/master/" + type + "/en")))) {
            String key = text.get("key").asText();
            if (isOurs(key)) {
                ours.add(key);
            }
        }
        return ours;
    }

    private static boolean isOurs(String key) {
        return ON_KEYCLOAKS_PAGES.contains(key)
                || key.matches("(checktoken|amr\\.|introspection\\.|emailCode|pin[A-Z]|.*Notice|secondFactor).*")
                || key.matches("login(Replaced|StillProcessed|NothingProved).*");
    }
}
