package io.github.checktoken.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What the demo realm shows as good practice, and no test of a login would miss. */
class FederationRealmTest {

    /** Everybody who gets another access token can read what it says about the person. */
    @Test
    void serviceProvidersHaveLightweightAccessTokens() throws IOException {
        JsonNode realm = Http.json(Files.readString(Path.of("realm-export/federation-realm.json")));
        Map<String, String> lightweight = new TreeMap<>();
        for (JsonNode client : realm.get("clients")) {
            if (client.path("clientId").asText().startsWith("sp-")) {
                lightweight.put(
                        client.get("clientId").asText(),
                        client.path("attributes")
                                .path("client.use.lightweight.access.token.enabled")
                                .asText());
            }
        }
        assertEquals(Map.of("sp-town", "true", "sp-bank", "true"), lightweight);
    }
}
