package io.github.checktoken.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import org.keycloak.models.RealmModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** All extensions of a server share the names of templates, of bundles, and of the keys in Keycloak's bundle. */
class OwnMessagesTest {

    private static final Path RESOURCES = Path.of("src/main/resources/theme-resources");

    private final Properties keycloaks = new Properties();

    @Test
    void keyOfAnotherExtensionReplacesNoTextOfOurs() throws IOException {
        keycloaks.put("pinTitle", "The other extension's");
        assertEquals("Ours", texts().get("pinTitle"));
    }

    @Test
    void themeReplacesATextOfOursByTheKeyWithThePrefix() throws IOException {
        keycloaks.put("checktoken.pinTitle", "The theme's");
        assertEquals("The theme's", texts().get("pinTitle"));
    }

    @Test
    void ourPagesHaveKeycloaksTexts() throws IOException {
        keycloaks.put("doCancel", "Cancel");
        assertEquals("Cancel", texts().get("doCancel"));
    }

    /** Keycloak's own pages look for the texts in {@code messages}, by ids of ours: OwnMessagesIT has their list. */
    @Test
    void eachFileAmongTheThemeResourcesHasOurName() throws IOException {
        try (Stream<Path> files = Files.walk(RESOURCES)) {
            assertEquals(
                    List.of("messages_en.properties", "messages_fr.properties"),
                    files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            .filter(name -> !name.startsWith("checktoken"))
                            .sorted()
                            .toList());
        }
    }

    private Properties texts() throws IOException {
        Properties ours = new Properties();
        ours.put("pinTitle", "Ours");
        Theme theme = Fake.of(
                Theme.class,
                (method, arguments) -> method.equals("getMessages")
                        ? Map.of("messages", keycloaks, OwnMessages.BUNDLE, ours)
                                .get(arguments[0])
                        : null);
        return OwnMessages.texts(theme, Fake.of(RealmModel.class, Map.of()), Locale.ENGLISH);
    }
}
