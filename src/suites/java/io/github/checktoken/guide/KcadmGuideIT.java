package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.Keytool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs every command of {@code docs/kcadm.md}, in its order, in a realm that {@code docs/own-realm.sh} has made. Then looks
 * at what the commands have changed, and signs somebody in.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
class KcadmGuideIT {

    private static final Path PAGE = Path.of("docs/kcadm.md");
    private static final Path SCRIPT = Path.of("docs/own-realm.sh").toAbsolutePath();
    private static final String REALM = "kcadm-guide";

    private final KeycloakServer server;
    private final AdminApi admin;
    private DemoPerson person;
    private RSAKey key;
    private String output;

    KcadmGuideIT(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, REALM);
    }

    @BeforeAll
    void runEveryCommand(@TempDir Path folder) throws IOException, InterruptedException, JOSEException {
        Bash.find("awk");
        key = new RSAKeyGenerator(2048).keyID("water-1").generate();
        Path keyStore = folder.resolve("keys.p12");
        new Keytool(keyStore).generate("answers", "CN=answers", "secp256r1");
        Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        makeRealm(folder);

        String commands = MarkdownBlocks.of(PAGE).stream()
                .map(block -> "echo '== " + block.section().replace("'", "") + "'\n" + block.text())
                .collect(Collectors.joining("\n"));
        Path script = folder.resolve("page.sh");
        Files.writeString(script, withRealValues(commands, server.install(keyStore, "data/" + REALM + "/keys.p12")));
        Result result = Bash.run(folder, Map.of(), "-euo", "pipefail", script.toString());
        output = result.output();
        assertEquals(0, result.status(), output);
        person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
    }

    private void makeRealm(Path folder) throws IOException, InterruptedException {
        Map<String, String> settings = Map.of(
                "SERVER",
                server.baseUrl().toString(),
                "ADMIN",
                KeycloakServer.ADMIN,
                "REALM_NAME",
                REALM,
                "PERSON",
                "awa",
                "PERSON_PASSWORD",
                "demo-password");
        Result result = Bash.run(folder, settings, SCRIPT.toString());
        assertEquals(0, result.status(), result.output());
        admin.create(
                "/users",
                Map.of(
                        "username",
                        "camille",
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "email",
                        "camille.moreau@kcadm-guide.example",
                        "enabled",
                        true,
                        "credentials",
                        List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", "839174"))));
    }

    /** The page has examples where every reader has other values. */
    private String withRealValues(String commands, String keyStore) {
        String real = commands;
        for (var value : Map.of(
                        "/opt/keycloak/bin",
                        Bash.keycloakBin().toString(),
                        "REALM=federation",
                        "REALM=" + REALM,
                        "https://login.example.org",
                        server.baseUrl().toString(),
                        "--user admin",
                        "--user " + KeycloakServer.ADMIN,
                        "/opt/keycloak/data/federation/keys.p12",
                        keyStore,
                        "${vault.keystore}",
                        Keytool.PASSWORD,
                        "--username ines",
                        "--username ines --new-password demo-password")
                .entrySet()) {
            assertTrue(real.contains(value.getKey()), () -> "The page no longer has " + value.getKey());
            real = real.replace(value.getKey(), value.getValue());
        }
        return real;
    }

    @Test
    void everyBlockIsRun() throws IOException {
        Set<String> languages = MarkdownBlocks.of(PAGE).stream()
                .map(MarkdownBlocks.Block::language)
                .collect(Collectors.toSet());
        assertEquals(Set.of("sh"), languages);
        assertTrue(output.contains("== A forgotten PIN"), output);
    }

    @Test
    void personSignsInAndDataProviderReadsTheAnswer() {
        ServiceProvider town = new ServiceProvider(
                server, REALM, "sp-town", secret("sp-town"), "http://localhost:8999/sp-town/callback");
        DataProviderClient water =
                new DataProviderClient(server.realmUrl(REALM).toString(), "dp-water", secret("dp-water"), key);
        Browser browser = new Browser(server);
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> form = browser.get(town.request()
                .with("scope", "openid given_name water_bills")
                .challenging(verifier, CodeChallengeMethod.S256)
                .url());
        Tokens tokens = town.redeem(browser.givePassword(form, person.name()), verifier);

        assertEquals("dp-water", tokens.accessClaims().path("aud").asText());
        Answer answer = water.check(tokens.accessToken());
        assertEquals("A256GCM", answer.encryption().getEncryptionMethod().getName());
        assertEquals(kidOfTheKeyStore(), answer.signature().getKeyID());
        Map<String, Object> introspection = answer.introspection();
        assertEquals(true, introspection.get("active"));
        assertEquals("water_bills", introspection.get("scope"));
    }

    @Test
    void dataProviderHasNoProblem() {
        JsonNode all = admin.get("/checktoken/data-providers");
        assertEquals(1, all.size());
        assertEquals("dp-water", all.get(0).get("clientId").asText());
        assertEquals(0, all.get(0).get("problems").size(), all::toString);
    }

    @Test
    void personToTryWithHasAllIdentityData() {
        JsonNode attributes = admin.get(admin.user("ines")).get("attributes");
        for (String name : List.of("gender", "birthdate", "birthplace", "birthcountry")) {
            assertEquals(1, attributes.path(name).size(), name);
        }
    }

    @Test
    void clientsHaveTheirScopes() {
        JsonNode water = admin.get(admin.client("dp-water"));
        assertEquals(List.of("identity"), texts(water.get("defaultClientScopes")));
        assertEquals(List.of("water_bills"), texts(water.get("optionalClientScopes")));
        assertEquals("client-secret", water.get("clientAuthenticatorType").asText());
    }

    @Test
    void rotatedSecretIsWithdrawn() {
        assertEquals(
                404,
                admin.send("GET", admin.client("dp-water") + "/client-secret/rotated", null)
                        .statusCode());
        assertEquals(
                "rotation",
                admin.get("/client-policies/policies").at("/policies/0/name").asText());
    }

    @Test
    void personHasLostThePinAndIsAskedForANewOne() {
        String camille = admin.user("camille");
        assertEquals(List.of("configure-pin"), texts(admin.get(camille).get("requiredActions")));
        for (JsonNode credential : admin.get(camille + "/credentials")) {
            assertEquals("password", credential.get("type").asText());
        }
    }

    private String secret(String clientId) {
        return admin.get(admin.client(clientId) + "/client-secret").get("value").asText();
    }

    private String kidOfTheKeyStore() {
        String component = "";
        for (JsonNode candidate : admin.get("/components?name=answers")) {
            component = candidate.get("id").asText();
        }
        for (JsonNode candidate : admin.get("/keys").get("keys")) {
            if (candidate.get("providerId").asText().equals(component)) {
                return candidate.get("kid").asText();
            }
        }
        throw new AssertionError("no key of the key store");
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
