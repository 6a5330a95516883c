package io.github.checktoken.introspection.keys;

import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a data provider without a key to encrypt to gets. */
final class UnusableKey {

    private static final String ANY_TOKEN = "any-token";

    private UnusableKey() {}

    /** @return the reason that the data provider gets */
    static String assertNoKey(DataProviderClient client, String algorithm) {
        HttpResponse<String> response = client.post(ANY_TOKEN);
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "application/json",
                response.headers().firstValue("Content-Type").orElse(null));
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
        JsonNode error = Http.json(response.body());
        assertEquals("temporarily_unavailable", error.path("error").asText());
        String description = error.path("error_description").asText();
        Matcher words = Pattern.compile("No usable encryption key for " + algorithm + ": ([ !#-\\[\\]-~]+)\\.")
                .matcher(description);
        assertTrue(words.matches(), description);
        return words.group(1);
    }
}
