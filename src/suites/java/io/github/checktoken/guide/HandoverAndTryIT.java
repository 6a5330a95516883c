package io.github.checktoken.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The commands {@code handover} and {@code try} of the federation tool, with a demo realm. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
class HandoverAndTryIT {

    private static final Path TOOL = Path.of("tools/federation").toAbsolutePath();
    private static final String JWT_IN_FULL = "(?s).*ey[\\w-]{30,}.*";

    private final Federation federation;
    private Path folder;

    HandoverAndTryIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeAll
    void writeFiles(@TempDir Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Bash.find("node");
        Bash.find("npm");
        if (!Files.isDirectory(TOOL.resolve("node_modules/jose"))) {
            Result installed =
                    Bash.run(TOOL, Map.of(), "-c", "npm ci --prefer-offline --ignore-scripts --no-audit --no-fund");
            assertEquals(0, installed.status(), installed.output());
        }
        ServiceProvider town = federation.town();
        DataProviderClient health = federation.health();
        write(
                "sp.env",
                variables(town.clientId(), town.secret())
                        + variable("SCOPE", Federation.ALL_SCOPES)
                        + variable("REDIRECT_URI", "http://localhost:8999/sp-town/callback"));
        write("dp.env", variables(health.clientId(), health.secret()));
        write("key.json", health.privateKey().toJSONString());
        write("federation.yaml", """
                realm: %s
                test-people:
                  camille: three given names
                scopes:
                  health_rights:
                data-providers:
                  dp-health:
                    name: Health insurer
                    keys: https://health.example.org/jwks.json
                    scopes: [health_rights]
                """.formatted(federation.realm()));
    }

    @Test
    void handOverSheetHasWhatDevelopersNeedInBothLanguages() throws IOException, InterruptedException {
        String english = run(0, "handover federation.yaml dp-health", Map.of());
        String french = run(0, "handover federation.yaml dp-health --language fr", Map.of());
        for (String part : List.of(
                federation.url() + "/api/v2/checktoken",
                "dp-health",
                "RS256",
                "ECDH-ES",
                "health_rights",
                "\"family_name\": \"Moreau\"",
                "three given names")) {
            assertTrue(english.contains(part), english);
            assertTrue(french.contains(part), french);
        }
        assertTrue(english.contains("birthdate (date of birth)"), english);
        assertTrue(french.contains("birthdate (date de naissance)"), french);
        assertFalse((english + french).contains(federation.health().secret()), english);
    }

    @Test
    void clientThatIsNoDataProviderHasNoSheet() throws IOException, InterruptedException {
        String output = run(1, "handover federation.yaml sp-town", Map.of());
        assertTrue(output.contains("Keycloak has no data provider sp-town"), output);
    }

    @Test
    void tryShowsEachStepAndNoSecretOrTokenInFull() throws IOException, InterruptedException {
        String output = run(0, "try sp.env dp.env key.json", Map.of("PERSON_PASSWORD", "demo-password"));
        for (String part : List.of(
                "1. sp-town sends the person to the realm",
                "GET " + federation.url() + "/protocol/openid-connect/auth",
                "2. camille signs in",
                "\"acr\": \"eidas1\"",
                "\"amr\": [",
                "POST " + federation.url() + "/api/v2/checktoken",
                "Status 200",
                "\"alg\": \"ECDH-ES\"",
                "\"alg\": \"RS256\"",
                "\"active\": true",
                "\"scope\": \"health_rights\"")) {
            assertTrue(output.contains(part), output);
        }
        for (String secret : List.of(
                federation.town().secret(),
                federation.health().secret(),
                "demo-password",
                federation.health().privateKey().toECKey().getD().toString())) {
            assertFalse(output.contains(secret), output);
        }
        assertFalse(output.matches(JWT_IN_FULL), output);
    }

    @Test
    void trySaysWhyTheLoginDoesNotEnd() throws IOException, InterruptedException {
        String wrong = run(1, "try sp.env dp.env key.json", Map.of("PERSON_PASSWORD", "wrong"));
        assertTrue(wrong.contains("Correct PERSON and PERSON_PASSWORD"), wrong);
    }

    private String variables(String clientId, String secret) {
        return variable("REALM", federation.url())
                + variable("CLIENT_ID", clientId)
                + variable("CLIENT_SECRET", secret);
    }

    private static String variable(String name, String value) {
        return "export %s='%s'\n".formatted(name, value);
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(folder.resolve(file), content);
    }

    private String run(int status, String command, Map<String, String> settings)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER", federation.server().baseUrl().toString(),
                "ADMIN", KeycloakServer.ADMIN,
                "MAIN", TOOL.resolve("src/main.js").toString()));
        environment.putAll(settings);
        Result result = Bash.run(folder, environment, "-c", "exec node \"$MAIN\" " + command);
        assertEquals(status, result.status(), result.output());
        return result.output();
    }
}
