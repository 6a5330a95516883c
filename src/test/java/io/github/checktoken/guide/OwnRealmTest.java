package io.github.checktoken.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code own-realm.json} repeats parts of the demo realm. Whoever mends one of the two files has to mend the other. */
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
        String roles = "/clientScopeMappings/realm-management";
        assertEquals(demo.at(roles), own.at(roles));
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

    /** INSEE: a commune has the département and three digits, and Corsica's was 20 until 1976. */
    @Test
    void birthplaceIsACodeThatACommuneHasOrHad() {
        Pattern pattern = birthplacePattern();
        Stream.of(
                        IntStream.rangeClosed(1, 95).mapToObj("%02d001"::formatted),
                        Stream.of("2A004", "2B033", "20004", "97105", "97411", "97701", "98735", "98818", "99352"))
                .flatMap(codes -> codes)
                .forEach(code -> assertTrue(pattern.matcher(code).matches(), code));
        for (String wrong : List.of("2C004", "A2004", "2a004", "7510", "751070", "Paris", "")) {
            assertFalse(pattern.matcher(wrong).matches(), wrong);
        }
    }

    private Pattern birthplacePattern() {
        JsonNode profile =
                Http.json(own.findValue("kc.user.profile.config").get(0).asText());
        return profile.get("attributes")
                .valueStream()
                .filter(attribute -> attribute.get("name").asText().equals("birthplace"))
                .map(attribute -> Pattern.compile(
                        attribute.at("/validations/pattern/pattern").asText()))
                .findFirst()
                .orElseThrow();
    }
}
