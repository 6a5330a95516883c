package io.github.checktoken.text;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.ThemeManager;
import org.keycloak.theme.Theme;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ClientNameTest {

    private static final Map<String, String> TEXTS = Map.of("water", "Régie de l''eau", "broken", "{");

    @Test
    void nameIsOneLine() {
        assertEquals("City library", of("City\n library"));
        assertEquals("", of(null));
    }

    @Test
    void nameThatRefersToATextIsThisText() {
        assertEquals("Régie de l'eau", of("${water}"));
    }

    @Test
    void nameThatRefersToNoTextThatCanBeShownIsEmpty() {
        assertEquals("", of("${missing}"));
        assertEquals("", of("${broken}"));
    }

    private static String of(String name) {
        RealmModel realm = Fake.of(RealmModel.class, Map.of("getRealmLocalizationTextsByLocale", TEXTS));
        Theme theme = Fake.of(Theme.class, Map.of("getMessages", new Properties()));
        KeycloakSession session = Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of("getRealm", realm, "resolveLocale", Locale.ENGLISH)),
                        "theme",
                        Fake.of(ThemeManager.class, Map.of("getTheme", theme))));
        return ClientName.of(session, Fake.of(ClientModel.class, (method, arguments) -> name), null);
    }
}
