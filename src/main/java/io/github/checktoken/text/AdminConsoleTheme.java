package io.github.checktoken.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Properties;

import org.keycloak.models.RealmModel;
import org.keycloak.theme.Theme;

/**
 * The theme on which all themes of the Admin Console build, with this project's texts for it. Texts among the
 * {@code theme-resources} would be in the themes of login pages as well, where Keycloak copies them for each page.
 *
 * @param keycloaks the theme without them
 */
record AdminConsoleTheme(Theme keycloaks) implements Theme {

    private static final String TEXTS = "/theme-resources/messages/checktoken-admin_%s.properties";

    @Override
    public Properties getMessages(String bundle, Locale locale) throws IOException {
        Properties texts = new Properties();
        try (InputStream file = getClass().getResourceAsStream(TEXTS.formatted(locale))) {
            if (file != null && bundle.equals("messages")) {
                texts.load(new InputStreamReader(file, StandardCharsets.UTF_8));
            }
        }
        Properties own = keycloaks.getMessages(bundle, locale);
        if (own != null) {
            texts.putAll(own);
        }
        return texts;
    }

    @Override
    public Properties getMessages(Locale locale) throws IOException {
        return getMessages("messages", locale);
    }

    @Override
    public Properties getEnhancedMessages(RealmModel realm, Locale locale) throws IOException {
        return keycloaks.getEnhancedMessages(realm, locale);
    }

    @Override
    public String getName() {
        return keycloaks.getName();
    }

    @Override
    public String getParentName() {
        return keycloaks.getParentName();
    }

    @Override
    public String getImportName() {
        return keycloaks.getImportName();
    }

    @Override
    public Type getType() {
        return keycloaks.getType();
    }

    @Override
    public URL getTemplate(String name) throws IOException {
        return keycloaks.getTemplate(name);
    }

    @Override
    public InputStream getResourceAsStream(String path) throws IOException {
        return keycloaks.getResourceAsStream(path);
    }

    @Override
    public Properties getProperties() throws IOException {
        return keycloaks.getProperties();
    }
}
