package io.github.checktoken.admin;

import java.text.MessageFormat;
import java.util.Properties;

/** The texts of the Admin Console in an administrator's language. */
record AdminMessages(Properties messages) {

    String of(String key, Object... parameters) {
        return MessageFormat.format(messages.getProperty(key, key), parameters);
    }
}
