package io.github.checktoken.introspection.admin;

import java.text.MessageFormat;
import java.util.Properties;

/** The texts of the Admin Console in the administrator's language. */
record AdminMessages(Properties messages) {

    /** @return the text with the parameters filled in; the key itself if there is no text for it */
    String of(String key, Object... parameters) {
        return MessageFormat.format(messages.getProperty(key, key), parameters);
    }
}
