package io.github.checktoken.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.MessageFormat;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.services.util.LocaleUtil;
import org.keycloak.theme.Theme;
import org.keycloak.theme.beans.MessageFormatterMethod;

/**
 * The texts of this project's own pages and mails. They have a bundle of their own, because Keycloak copies all texts of
 * its bundle for each page of each realm, and because another extension may have the same keys in it. As for Keycloak's
 * texts, the theme and the realm's localization take precedence, language by language. In a theme's bundle {@code
 * messages}, a key of ours begins with {@link #PREFIX}.
 */
public final class OwnMessages {

    /** The bundle's name: {@code theme-resources/messages/checktoken_<locale>.properties}. */
    public static final String BUNDLE = "checktoken";

    /** Of our keys in a theme. */
    private static final String PREFIX = "checktoken.";

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

    static Properties texts(Theme theme, RealmModel realm, Locale locale) throws IOException {
        Locale parent = LocaleUtil.getParentLocale(locale, realm);
        Properties texts = parent == null ? new Properties() : texts(theme, realm, parent);
        Set<Object> own = theme.getMessages(BUNDLE, Locale.ENGLISH).keySet();
        texts.putAll(special(theme, BUNDLE, locale, parent));
        special(theme, "messages", locale, parent).forEach((key, text) -> {
            if (key.toString().startsWith(PREFIX)) {
                texts.put(key.toString().substring(PREFIX.length()), text);
            } else if (!own.contains(key)) {
                texts.put(key, text);
            }
        });
        texts.putAll(realm.getRealmLocalizationTextsByLocale(locale.toLanguageTag()));
        return texts;
    }

    /** @return the texts that differ from those of the more general language */
    private static Map<Object, Object> special(Theme theme, String bundle, Locale locale, Locale parent)
            throws IOException {
        Properties general = parent == null ? new Properties() : theme.getMessages(bundle, parent);
        Map<Object, Object> special = new HashMap<>(theme.getMessages(bundle, locale));
        special.entrySet().removeIf(text -> text.getValue().equals(general.get(text.getKey())));
        return special;
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
