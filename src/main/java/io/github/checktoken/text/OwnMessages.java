package io.github.checktoken.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.Properties;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.services.util.LocaleUtil;
import org.keycloak.theme.Theme;
import org.keycloak.theme.beans.MessageFormatterMethod;

/**
 * The texts of this project's own pages and mails. They have a bundle of their own, because Keycloak copies all texts of
 * its bundle for each page of each realm. As for Keycloak's texts, the theme's bundle {@code messages} and the realm's
 * localization take precedence, language by language.
 */
public final class OwnMessages {

    /** The bundle's name: {@code theme-resources/messages/checktoken_<locale>.properties}. */
    public static final String BUNDLE = "checktoken";

    /** The name in our templates: {@code <#global msg=ownMsg>}, so that Keycloak's macros find our texts, too. */
    public static final String ATTRIBUTE = "ownMsg";

    private final Locale locale;
    private final Properties texts;

    private OwnMessages(Locale locale, Properties texts) {
        this.locale = locale;
        this.texts = texts;
    }

    /** @param user whose language is used; null for the browser's, and then for the realm's */
    public static OwnMessages of(KeycloakSession session, Theme.Type type, UserModel user) {
        Locale locale = session.getContext().resolveLocale(user);
        try {
            Theme theme = session.theme().getTheme(type);
            return new OwnMessages(locale, texts(theme, session.getContext().getRealm(), locale));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Properties texts(Theme theme, RealmModel realm, Locale locale) throws IOException {
        Locale parent = LocaleUtil.getParentLocale(locale, realm);
        Properties texts = parent == null ? new Properties() : texts(theme, realm, parent);
        for (String bundle : new String[] {BUNDLE, "messages"}) {
            Properties general = parent == null ? new Properties() : theme.getMessages(bundle, parent);
            theme.getMessages(bundle, locale).forEach((key, text) -> {
                if (!text.equals(general.get(key))) {
                    texts.put(key, text);
                }
            });
        }
        texts.putAll(realm.getRealmLocalizationTextsByLocale(locale.toLanguageTag()));
        return texts;
    }

    /** @return the key itself if there is no such text, as Keycloak does */
    public String text(String key, Object... parameters) {
        String pattern = texts.getProperty(key);
        return pattern == null ? key : new MessageFormat(pattern, locale).format(parameters);
    }

    /** @return the message with its text in place of the key, which Keycloak then shows as it is */
    public FormMessage text(FormMessage message) {
        return new FormMessage(message.getField(), text(message.getMessage(), message.getParameters()));
    }

    /** For the attribute {@link #ATTRIBUTE}. */
    public Object method() {
        return new MessageFormatterMethod(locale, texts);
    }
}
