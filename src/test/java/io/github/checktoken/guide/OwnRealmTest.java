package io.github.checktoken.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * {@code own-realm.json} repeats parts of the demo realm, and {@code own-realm-providers.json} what {@code own-realm.sh}
 * imports. Whoever mends one of two files has to mend the other.
 */
class OwnRealmTest {

    private final JsonNode own = read("docs/own-realm.json");
    private final JsonNode demo = read("realm-export/federation-realm.json");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identity",
                "given_name",
                "family_name",
                "gender",
                "preferred_username",
                "birthdate",
                "birthplace",
                "birthcountry"
            })
    void scopeIsThatOfTheDemoRealm(String name) {
        assertEquals(scope(demo, name), scope(own, name));
    }

    @Test
    void userProfileIsThatOfTheDemoRealm() {
        String profile = "/components/org.keycloak.userprofile.UserProfileProvider";
        assertFalse(own.at(profile).isEmpty());
        assertEquals(demo.at(profile), own.at(profile));
    }

    @Test
    void clientOfThePageIsThatOfTheDemoRealm() {
        assertEquals("data-providers-page", own.at("/clients/0/clientId").asText());
        assertEquals(demo.at("/clients/0"), own.at("/clients/0"));
        assertEquals(demo.get("clientScopeMappings"), own.get("clientScopeMappings"));
    }

    @Test
    void textsAreThoseOfTheDemoRealm() {
        for (String language : List.of("en", "fr")) {
            JsonNode texts = own.at("/localizationTexts/" + language);
            assertFalse(texts.isEmpty(), language);
            texts.properties()
                    .forEach(text -> assertEquals(
                            demo.at("/localizationTexts/" + language).get(text.getKey()), text.getValue()));
        }
    }

    /** The script also has the secrets with their time, the salt, the password and the data provider's key. */
    @Test
    void providersAndPersonAreThoseOfTheScript() throws IOException {
        JsonNode script = imported(Files.readString(Path.of("docs/own-realm.sh")));
        JsonNode file = read("docs/own-realm-providers.json");
        script.get("clients").forEach(client -> {
            ((ObjectNode) client).remove("secret");
            ((ObjectNode) client.get("attributes")).remove("client.secret.creation.time");
        });
        ((ObjectNode) script.at("/clients/1/protocolMappers/0/config")).remove("pairwiseSubAlgorithmSalt");
        script.get("users").forEach(user -> ((ObjectNode) user).remove("credentials"));
        ((ObjectNode) file.at("/clients/1/attributes")).removeAll();
        ((ObjectNode) script.at("/clients/0")).put("baseUrl", "http://localhost:8999/");
        assertEquals(script, file);
    }

    /** @return what the script imports if all its settings have their defaults */
    private static JsonNode imported(String script) {
        Map<String, String> defaults = new HashMap<>();
        Matcher setting = Pattern.compile("(?m)^: \"\\$\\{(\\w+):=(.*?)}\"").matcher(script);
        while (setting.find()) {
            defaults.put(setting.group(1), setting.group(2));
        }
        Matcher json = Pattern.compile("(?s)kcadm create partialImport [^\n]*\n(.*?)\nEOF\n")
                .matcher(script);
        assertTrue(json.find());
        String quoted = json.group(1).replaceAll("\\$\\(printf '%s\\\\n' (\"\\$\\w+\") \\| json_string\\)", "$1");
        return Http.json(Pattern.compile("\\$(\\w+)")
                .matcher(quoted)
                .replaceAll(variable -> defaults.getOrDefault(variable.group(1), "")));
    }

    private static JsonNode scope(JsonNode realm, String name) {
        for (JsonNode scope : realm.get("clientScopes")) {
            if (scope.get("name").asText().equals(name)) {
                return scope;
            }
        }
        throw new AssertionError("no scope " + name);
    }

    private static JsonNode read(String file) {
        try {
            return Http.json(Files.readString(Path.of(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
