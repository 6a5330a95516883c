package io.github.checktoken.theme;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests the theme in the shipped JAR, as Keycloak finds it. */
@ExtendWith(KeycloakExtension.class)
class ThemeIT {

    private final AdminApi admin;

    ThemeIT(Federation federation) {
        this.admin = federation.admin();
    }

    @ParameterizedTest
    @ValueSource(strings = {"login", "email"})
    void administratorCanChooseItInEnglishAndFrench(String type) {
        List<String> locales = new ArrayList<>();
        for (JsonNode theme : admin.serverInfo().at("/themes/" + type)) {
            if (theme.get("name").asText().equals("checktoken")) {
                theme.get("locales").forEach(locale -> locales.add(locale.asText()));
            }
        }
        assertEquals(List.of("en", "fr"), locales);
    }

    @Test
    void demoRealmWearsIt() {
        JsonNode realm = admin.get("");
        assertEquals("checktoken", realm.get("loginTheme").asText());
        assertEquals("checktoken", realm.get("emailTheme").asText());
    }
}
