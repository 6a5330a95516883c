package io.github.checktoken.packaging;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class MessagesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/theme-resources/messages/messages",
                "/theme-resources/messages/checktoken",
                "/theme-resources/messages/checktoken-admin",
                "/theme/checktoken/login/messages/messages",
                "/demo/messages"
            })
    void everyTextIsThereInEnglishAndFrench(String bundle) throws IOException {
        assertFalse(messages(bundle, "en").isEmpty());
        assertEquals(
                messages(bundle, "en").stringPropertyNames(),
                messages(bundle, "fr").stringPropertyNames());
    }

    private static Properties messages(String bundle, String locale) throws IOException {
        String file = bundle + "_" + locale + ".properties";
        try (Reader reader =
                new InputStreamReader(MessagesTest.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            Properties properties = new Properties();
            properties.load(reader);
            return properties;
        }
    }
}
