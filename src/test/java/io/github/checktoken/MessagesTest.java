package io.github.checktoken;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class MessagesTest {

    @Test
    void everyTextIsThereInEnglishAndFrench() throws IOException {
        assertEquals(messages("en").stringPropertyNames(), messages("fr").stringPropertyNames());
    }

    private static Properties messages(String locale) throws IOException {
        String file = "/theme-resources/messages/messages_" + locale + ".properties";
        try (Reader reader =
                new InputStreamReader(MessagesTest.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            Properties properties = new Properties();
            properties.load(reader);
            return properties;
        }
    }
}
