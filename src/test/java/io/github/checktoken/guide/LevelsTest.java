package io.github.checktoken.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What {@code levels.json} must say so that {@code eidas2} always means two kinds of factor. */
class LevelsTest {

    private final JsonNode levels = read("docs/levels.json");

    /** With a password, a PIN is a second thing that the person knows, and a code by e-mail is no factor at all. */
    @ParameterizedTest
    @CsvSource({
        "browser eidas2, auth-otp-form webauthn-authenticator webauthn-authenticator-passwordless",
        "eidas2 after a password elsewhere, auth-otp-form webauthn-authenticator webauthn-authenticator-passwordless",
        "eidas2 after a key elsewhere, auth-pin-form"
    })
    void secondLevelNeedsOneOfTheseForms(String flow, String forms) {
        assertEquals(Set.of(forms.split(" ")), new TreeSet<>(forms(secondLevel(flow))));
    }

    /** If one were required, Keycloak would let a person who has none set it up in this login, and reach the level. */
    @ParameterizedTest
    @ValueSource(strings = {"browser eidas2", "eidas2 after a password elsewhere", "eidas2 after a key elsewhere"})
    void formOfTheSecondLevelIsOnlyForPeopleWhoHaveTheFactor(String flow) {
        JsonNode factor = flow(step(secondLevel(flow), 1).get("flowAlias").asText());
        assertEquals(
                "CONDITIONAL", step(secondLevel(flow), 1).get("requirement").asText());
        assertEquals(
                "conditional-user-configured",
                step(factor, 0).path("authenticator").asText());
        for (JsonNode form : factor.get("authenticationExecutions")) {
            boolean condition = form == step(factor, 0);
            assertEquals(
                    condition ? "REQUIRED" : "ALTERNATIVE",
                    form.get("requirement").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"browser eidas2", "eidas2 after a password elsewhere", "eidas2 after a key elsewhere"})
    void whoeverHasNoneIsRefused(String flow) {
        JsonNode refusal = flow(step(secondLevel(flow), 2).get("flowAlias").asText());
        assertEquals(
                "CONDITIONAL", step(secondLevel(flow), 2).get("requirement").asText());
        assertEquals(
                step(secondLevel(flow), 1).get("flowAlias"),
                config(step(refusal, 0)).get("flow_to_check"));
        assertEquals(
                "not-executed", config(step(refusal, 0)).path("check_result").asText());
        assertEquals(
                "deny-access-authenticator",
                step(refusal, 1).path("authenticator").asText());
        assertEquals("REQUIRED", step(refusal, 1).path("requirement").asText());
    }

    @Test
    void everyPageOfTheRefusalHasItsText() throws IOException {
        String texts = Files.readString(Path.of("src/main/resources/theme-resources/messages/messages_en.properties"));
        List<String> keys = levels.findValuesAsText("denyErrorMessage");
        assertEquals(3, keys.size());
        keys.forEach(key -> assertTrue(texts.contains("\n" + key + "="), key));
    }

    /** A session must not outlive a level, or single sign-on would ask for the password. */
    @Test
    void levelsLastAsLongAsTheSession() {
        for (JsonNode config : levels.get("authenticatorConfig")) {
            if (config.get("config").has("loa-condition-level")) {
                assertEquals(
                        levels.get("ssoSessionMaxLifespan").asText(),
                        config.at("/config/loa-max-age").asText());
            }
        }
    }

    /** Only the one-time password is asked for at another level: otherwise it would be asked for twice. */
    @Test
    void firstLevelAsksForWhatTheScriptsRealmAsksFor() {
        JsonNode own = read("docs/own-realm.json");
        Set<String> expected = new TreeSet<>(forms(own, flow(own, "eidas1")));
        assertTrue(expected.remove("auth-otp-form"));
        assertEquals(expected, new TreeSet<>(forms(flow("level eidas1"))));
    }

    /** {@code levels.sh} adds the flows to a realm of {@code own-realm.sh}. */
    @Test
    void noNameIsTakenInTheScriptsRealm() {
        JsonNode own = read("docs/own-realm.json");
        for (String list : List.of("authenticationFlows", "authenticatorConfig")) {
            Set<String> shared = aliases(levels.get(list));
            assertEquals(levels.get(list).size(), shared.size());
            shared.retainAll(aliases(own.get(list)));
            assertEquals(Set.of(), shared);
        }
    }

    private JsonNode secondLevel(String topLevelFlow) {
        return descendants(levels, flow(topLevelFlow))
                .filter(flow -> config(step(flow, 0))
                        .path("loa-condition-level")
                        .asText()
                        .equals("2"))
                .findFirst()
                .orElseThrow();
    }

    /** @return the authenticators of a flow and its sub-flows that are no condition and do not only refuse */
    private List<String> forms(JsonNode flow) {
        return forms(levels, flow);
    }

    private static List<String> forms(JsonNode realm, JsonNode flow) {
        return descendants(realm, flow)
                .flatMap(
                        descendant -> descendant.get("authenticationExecutions").valueStream())
                .map(execution -> execution.path("authenticator").asText())
                .filter(name -> !name.isEmpty()
                        && !name.startsWith("conditional-")
                        && !name.equals("deny-access-authenticator"))
                .toList();
    }

    private static Stream<JsonNode> descendants(JsonNode realm, JsonNode flow) {
        return Stream.concat(
                Stream.of(flow),
                flow.get("authenticationExecutions")
                        .valueStream()
                        .filter(execution -> execution.has("flowAlias"))
                        .flatMap(execution -> descendants(
                                realm, flow(realm, execution.get("flowAlias").asText()))));
    }

    private JsonNode flow(String alias) {
        return flow(levels, alias);
    }

    private static JsonNode flow(JsonNode realm, String alias) {
        return withAlias(realm.get("authenticationFlows"), alias);
    }

    private static JsonNode step(JsonNode flow, int index) {
        return flow.get("authenticationExecutions").get(index);
    }

    private JsonNode config(JsonNode execution) {
        String alias = execution.path("authenticatorConfig").asText();
        return alias.isEmpty()
                ? Http.JSON.createObjectNode()
                : withAlias(levels.get("authenticatorConfig"), alias).get("config");
    }

    private static JsonNode withAlias(JsonNode list, String alias) {
        return list.valueStream()
                .filter(one -> one.get("alias").asText().equals(alias))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + alias));
    }

    private static Set<String> aliases(JsonNode list) {
        Set<String> aliases = new TreeSet<>();
        list.forEach(one -> aliases.add(one.get("alias").asText()));
        return aliases;
    }

    private static JsonNode read(String file) {
        try {
            return Http.json(Files.readString(Path.of(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
