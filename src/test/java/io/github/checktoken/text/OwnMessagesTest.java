package io.github.checktoken.text;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import org.keycloak.models.RealmModel;
import org.keycloak.theme.Theme;

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
        Theme theme = fake(Theme.class, Map.of("messages", keycloaks, OwnMessages.BUNDLE, ours));
        return OwnMessages.texts(theme, fake(RealmModel.class, Map.of()), Locale.ENGLISH);
    }

    /** @param bundles by name */
    private static <T> T fake(Class<T> type, Map<String, Properties> bundles) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getMessages" -> bundles.get(arguments[0]);
                    case "getRealmLocalizationTextsByLocale" -> Map.of();
                    case "isInternationalizationEnabled" -> false;
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }
}
