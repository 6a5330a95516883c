package io.github.checktoken.introspection.keys;

import java.net.http.HttpResponse;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What a data provider without a key to encrypt to gets. */
final class UnusableKey {

    private static final String ANY_TOKEN = "any-token";

    private UnusableKey() {}

    static void assertNoKey(DataProviderClient client, String algorithm) {
        HttpResponse<String> response = client.post(ANY_TOKEN);
        assertEquals(503, response.statusCode(), response.body());
        assertEquals(
                "application/json",
                response.headers().firstValue("Content-Type").orElse(null));
        assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(null));
        JsonNode error = Http.json(response.body());
        assertEquals("temporarily_unavailable", error.path("error").asText());
        assertEquals(
                "No usable encryption key for " + algorithm + ".",
                error.path("error_description").asText());
    }
}
