package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The data provider guide's programs, as a reader runs them, with a real server. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class DataProviderExamplesIT {

    /** The demo's realm URL with {@code -Ddemo.keycloak.port=8080}. */
    private static final String DEMO = "http://localhost:8080/realms/federation";

    private static String token;
    private static DataProviderClient withRsa;
    private static DataProviderClient withEc;

    private final Federation federation;

    DataProviderExamplesIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeAll
    static void signIn(Federation federation) {
        token = federation.town().signIn("camille", Federation.ALL_SCOPES).accessToken();
        withRsa = dataProvider(federation, "RSA-OAEP-256", PrivateKeys.rsa());
        withEc = dataProvider(federation, "ECDH-ES", PrivateKeys.ec());
    }

    private static DataProviderClient dataProvider(Federation federation, String algorithm, JWK key) {
        return federation
                .newDataProvider()
                .signedWith("ES256")
                .encryptedWith(algorithm)
                .key(key)
                .optionalScopes("tax_income")
                .create();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN|BASH_JOSE")
    void programLearnsWhoThePersonIsWithAnRsaKey(Example program) {
        assertIsCamille(withRsa, program.run(environment(withRsa), "", token));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programLearnsWhoThePersonIsWithAnEcKey(Example program) {
        assertIsCamille(withEc, program.run(environment(withEc), "", token));
    }

    /** José of Debian 12 does not have RSA-OAEP-256, the one of Debian 13 does. */
    @ParameterizedTest
    @EnumSource(names = "BASH_JOSE")
    void scriptSaysIfTheToolLacksAnAlgorithm(Example program) {
        ExampleRun run = program.run(environment(withRsa), "", token);

        if (ExampleRun.of("jose alg", program.folder()).output().contains("RSA-OAEP-256")) {
            assertIsCamille(withRsa, run);
        } else {
            assertFails("This version of José does not support RSA-OAEP-256", run);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programLearnsThatATokenIsNotActive(Example program) {
        ExampleRun run = program.run(environment(withEc), "", "any-token").expectSuccess();

        assertEquals("{\"active\":false}", Http.json(run.output()).toString());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programReadsTheTokenFromTheStandardInput(Example program) {
        assertIsCamille(withEc, program.run(environment(withEc), token + "\n"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void realmUrlMayEndWithASlash(Example program) {
        Map<String, String> environment = environment(withEc);
        environment.merge("REALM", "/", String::concat);

        assertIsCamille(withEc, program.run(environment, "", token));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programChoosesTheKeyThatTheAnswerNames(Example program) {
        Map<String, String> environment = environment(withEc);
        environment.merge("PRIVATE_KEYS", PrivateKeys.write(PrivateKeys.ec()) + " ", (key, other) -> other + key);

        assertIsCamille(withEc, program.run(environment, "", token));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programSaysThatItDoesNotHaveTheKey(Example program) {
        Map<String, String> environment = environment(withEc);
        environment.put("PRIVATE_KEYS", PrivateKeys.write(PrivateKeys.ec()).toString());

        assertFails("", program.run(environment, "", token));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programPrintsNothingOfAFileThatIsNoKey(Example program, @TempDir Path folder) throws IOException {
        Map<String, String> environment = environment(withEc);
        environment.put(
                "PRIVATE_KEYS",
                Files.writeString(folder.resolve("key.json"), "{\"kty\":\"EC\",\"d\":secretpart")
                        .toString());

        ExampleRun run = program.run(environment, "", token);

        assertFails("", run);
        assertFalse((run.output() + run.errors()).contains("secret"), run::errors);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programSaysWhatIsNotSet(Example program) {
        assertFails(
                "Not set: REALM, CLIENT_SECRET",
                program.run(Map.of("REALM", "", "CLIENT_ID", "dp", "CLIENT_SECRET", ""), "", token));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programSaysThatItGotNoToken(Example program) {
        assertFails("No access token", program.run(environment(withEc), ""));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*LOGIN")
    void programSaysThatTheSecretIsWrong(Example program) {
        Map<String, String> environment = environment(withEc);
        environment.put("CLIENT_SECRET", "a-wrong-secret");

        String message = program.hasOurLibrary() ? "wrong-credentials" : "checktoken answered 401: invalid_client";
        assertFails(message, program.run(environment, "", token));
    }

    /** Runs what the guide says to do beside the demo; only the address differs, and the package is here already. */
    @Test
    void readerOfTheGuideAsksTheDemo() {
        String packages = Example.NODE.folder().resolve("node_modules").toString();
        String commands = replace(GuideBlock.containing("CLIENT_ID=dp-tax"), DEMO, federation.url());
        commands = replace(
                commands,
                "npm install --install-links ../../clients/node\n",
                "ln -sfn " + packages + " node_modules\n");

        ExampleRun inactive = inCheckout(commands);
        ExampleRun active = inCheckout(replace(commands, "any-text", token));

        assertEquals("{\"active\":false}", Http.json(inactive.output()).toString());
        assertEquals(
                "Camille Louise Marie",
                Http.json(active.output()).get("given_name").asText());
    }

    private static ExampleRun inCheckout(String commands) {
        return ExampleRun.of("set -e\n" + commands + " #", Path.of("").toAbsolutePath())
                .expectSuccess();
    }

    private static String replace(String commands, String old, String replacement) {
        assertTrue(commands.contains(old), commands);
        return commands.replace(old, replacement);
    }

    private Map<String, String> environment(DataProviderClient dataProvider) {
        return new HashMap<>(Map.of(
                "REALM", federation.url(),
                "CLIENT_ID", dataProvider.clientId(),
                "CLIENT_SECRET", dataProvider.secret(),
                "PRIVATE_KEYS", PrivateKeys.write(dataProvider.privateKey()).toString()));
    }

    private static void assertIsCamille(DataProviderClient dataProvider, ExampleRun run) {
        JsonNode printed = Http.json(run.expectSuccess().output());
        JsonNode expected = Http.json(
                Http.JSON.valueToTree(dataProvider.check(token).introspection()).toString());
        assertEquals("Camille Louise Marie", expected.get("given_name").asText());
        assertEquals("tax_income", expected.get("scope").asText());
        assertEquals(expected, printed);
    }

    private static void assertFails(String message, ExampleRun run) {
        assertEquals(1, run.status(), run.errors());
        assertEquals("", run.output());
        assertTrue(run.errors().contains(message), run.errors());
        assertTrue(run.errors().lines().count() <= 2, run.errors());
    }
}
