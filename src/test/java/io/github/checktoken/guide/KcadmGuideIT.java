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
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import io.github.checktoken.support.server.MailServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs every command of {@code docs/kcadm.md}, in its order, in a realm that has only what the page takes for granted: a
 * person and an identity provider. Then looks at what the commands have changed, and signs somebody in.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
class KcadmGuideIT {

    private static final Path PAGE = Path.of("docs/kcadm.md");
    private static final Path GUIDE = Path.of("docs/administrator.md");
    private static final String REALM = "kcadm-guide";

    private final KeycloakServer server;
    private final MailServer mailServer;
    private final AdminApi admin;
    private DemoPerson person;
    private RSAKey key;
    private String output;

    KcadmGuideIT(KeycloakServer server, MailServer mailServer) {
        this.server = server;
        this.mailServer = mailServer;
        this.admin = new AdminApi(server, REALM);
        new AdminApi(server, "").post("", Map.of("realm", REALM, "enabled", true));
        admin.create(
                "/users",
                Map.of(
                        "username",
                        "camille",
                        "enabled",
                        true,
                        "email",
                        "camille@example.org",
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "credentials",
                        List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", "839174"))));
        admin.create(
                "/identity-provider/instances",
                Map.of(
                        "alias",
                        "identity-provider",
                        "providerId",
                        "oidc",
                        "enabled",
                        true,
                        "config",
                        Map.of(
                                "clientId", "federation",
                                "clientSecret", "secret-of-federation",
                                "authorizationUrl", "https://upstream.example.org/auth",
                                "tokenUrl", "https://upstream.example.org/token")));
    }

    @BeforeAll
    void runEveryCommand(@TempDir Path folder) throws IOException, InterruptedException, JOSEException {
        Bash.find("jq");
        Bash.find("awk");
        Bash.find("column");
        key = new RSAKeyGenerator(2048).keyID("water-1").generate();
        Path keyStore = folder.resolve("keys.p12");
        new Keytool(keyStore).generate("answers", "CN=answers", "secp256r1");
        Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        Files.copy(Path.of("docs/own-realm.json"), folder.resolve("own-realm.json"));
        Files.writeString(folder.resolve("dp-water.json"), MarkdownBlocks.json(GUIDE, "\"clientId\": \"dp-water\""));
        Files.writeString(folder.resolve("sp-town.json"), MarkdownBlocks.json(GUIDE, "\"clientId\": \"sp-town\""));

        String commands = MarkdownBlocks.of(PAGE).stream()
                .map(block -> "echo '== " + block.section().replace("'", "") + "'\n" + block.text())
                .collect(Collectors.joining("\n"));
        Path script = folder.resolve("page.sh");
        Files.writeString(script, withRealValues(commands, server.install(keyStore, "data/" + REALM + "/keys.p12")));
        Result result = Bash.run(folder, Map.of(), "-euo", "pipefail", script.toString());
        output = result.output();
        assertEquals(0, result.status(), output);

        // Not earlier: before the page is run, the user profile does not have this person's attributes.
        person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
    }

    /** The page has examples where every reader has other values. */
    private String withRealValues(String commands, String keyStore) {
        Map<String, String> mail = mailServer.settings();
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
                        "\"mail.example.org\"",
                        "\"" + mail.get("host") + "\"",
                        "\"587\", \"starttls\": \"true\"",
                        "\"" + mail.get("port") + "\"")
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
        assertTrue(output.contains("== How these logins get `acr`"), output);
    }

    /** The flow asks for the password and for a code by e-mail; this person has no PIN. */
    @Test
    void personSignsInAndDataProviderReadsTheAnswer() {
        ServiceProvider town =
                new ServiceProvider(server, REALM, "sp-town", secret("sp-town"), "https://town.example.org/callback");
        DataProviderClient water =
                new DataProviderClient(server.realmUrl(REALM).toString(), "dp-water", secret("dp-water"), key);
        Browser browser = new Browser(server);
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> form = browser.get(town.request()
                .with("scope", "openid given_name water_bills")
                .askingForAmr()
                .challenging(verifier, CodeChallengeMethod.S256)
                .url());
        HttpResponse<String> page = browser.givePassword(form, person.name());
        assertShows("We sent a code to", page);
        String code = mailServer.newestCode(person.name() + "@example.org").orElseThrow();
        Tokens tokens = town.redeem(browser.submit(page, Map.of("code", code)), verifier);

        assertEquals("eidas1", tokens.acr());
        assertEquals("fc pwd mail", tokens.amr());
        Answer answer = water.check(tokens.accessToken());
        assertEquals("A128CBC-HS256", answer.encryption().getEncryptionMethod().getName());
        assertEquals(kidOfTheKeyStore(), answer.signature().getKeyID());
        Map<String, Object> introspection = answer.introspection();
        assertEquals("water_bills", introspection.get("scope"));
        assertEquals("Martin", introspection.get("family_name"));
        assertEquals("1990-01-01", introspection.get("birthdate"));
        assertFalse(tokens.accessClaims().has("sub"), () -> "" + tokens.accessClaims());
    }

    @Test
    void dataProviderHasNoProblem() {
        JsonNode all = admin.get("/checktoken/data-providers");
        assertEquals(1, all.size());
        assertEquals("dp-water", all.get(0).get("clientId").asText());
        assertEquals(0, all.get(0).get("problems").size(), all::toString);
    }

    @Test
    void realmHasItsSettings() {
        JsonNode realm = admin.get("");
        assertEquals("{\"eidas1\":1}", realm.at("/attributes/acr.loa.map").asText());
        // A merge must not take other attributes away.
        assertTrue(realm.get("attributes").has("parRequestUriLifespan"), realm::toString);
        assertEquals("browser eidas1", realm.get("browserFlow").asText());
        assertEquals("direct grant with PIN", realm.get("directGrantFlow").asText());
        assertEquals("my reset credentials", realm.get("resetCredentialsFlow").asText());
        assertEquals("checktoken", realm.get("loginTheme").asText());
        assertEquals("checktoken", realm.get("emailTheme").asText());
        assertEquals("login@example.org", realm.at("/smtpServer/from").asText());
        assertTrue(realm.get("bruteForceProtected").asBoolean());
        assertEquals(604800, realm.get("eventsExpiration").asInt());
        List<String> events = texts(admin.get("/events/config").get("enabledEventTypes"));
        assertTrue(
                events.containsAll(List.of("LOGIN", "INTROSPECT_TOKEN", "INTROSPECT_TOKEN_ERROR")), events::toString);
        assertEquals(
                "Date de naissance",
                admin.get("/localization/fr").get("birthdate").asText());
    }

    @Test
    void clientsHaveTheirScopes() {
        JsonNode water = admin.get(admin.client("dp-water"));
        assertEquals(List.of("identity"), texts(water.get("defaultClientScopes")));
        assertEquals(List.of("water_bills"), texts(water.get("optionalClientScopes")));
        assertEquals("client-secret", water.get("clientAuthenticatorType").asText());
        JsonNode town = admin.get(admin.client("sp-town"));
        assertEquals(Set.of("basic", "acr", "amr"), Set.copyOf(texts(town.get("defaultClientScopes"))));
        assertEquals(
                Set.of("given_name", "family_name", "water_bills", "water_meter"),
                Set.copyOf(texts(town.get("optionalClientScopes"))));
        assertFalse(town.get("fullScopeAllowed").asBoolean());
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
    void registrationPoliciesAllowNothing() {
        assertTrue(policy("allowed-protocol-mappers")
                .path("allowed-protocol-mapper-types")
                .isEmpty());
        assertTrue(
                policy("allowed-client-templates").path("allowed-client-scopes").isEmpty());
        assertEquals(List.of("false"), texts(policy("allowed-client-templates").get("allow-default-scopes")));
    }

    @Test
    void flowsHaveTheirShape() {
        assertEquals(
                List.of(
                        "ALTERNATIVE Cookie",
                        "ALTERNATIVE Identity Provider Redirector",
                        "ALTERNATIVE sign in",
                        "  CONDITIONAL eidas1",
                        "    REQUIRED Condition - Level of Authentication",
                        "    REQUIRED Username Password Form",
                        "    CONDITIONAL one-time password",
                        "      REQUIRED Condition - user configured",
                        "      REQUIRED OTP Form",
                        "    CONDITIONAL PIN",
                        "      REQUIRED Condition - user configured",
                        "      REQUIRED PIN form",
                        "    REQUIRED E-mail one-time code"),
                flow("browser eidas1"));
        assertEquals(List.of("REQUIRED Deny access"), flow("no direct grant"));
        assertEquals(
                List.of(
                        "CONDITIONAL PIN of the direct grant",
                        "  REQUIRED Condition - user configured",
                        "  REQUIRED PIN (direct grant)"),
                tail(3, flow("direct grant with PIN")));
        List<String> reset = flow("my reset credentials");
        assertEquals(
                List.of("REQUIRED Choose User", "REQUIRED E-mail one-time code", "REQUIRED Reset Password"),
                reset.subList(0, 3));
        assertEquals(
                List.of(
                        "CONDITIONAL PIN after a reset",
                        "  REQUIRED Condition - user configured",
                        "  REQUIRED PIN form"),
                tail(3, reset));
        assertTrue(
                flow("my first login").contains("    CONDITIONAL PIN before linking"),
                () -> "" + flow("my first login"));
        assertEquals(
                List.of(
                        "CONDITIONAL eidas1 after an identity provider",
                        "  REQUIRED Condition - Level of Authentication",
                        "  REQUIRED Allow access"),
                flow("after an identity provider"));
    }

    @Test
    void identityProviderHasItsFlowsAndItsMapper() {
        JsonNode provider = admin.get("/identity-provider/instances/identity-provider");
        assertEquals("my first login", provider.get("firstBrokerLoginFlowAlias").asText());
        assertEquals(
                "after an identity provider",
                provider.get("postBrokerLoginFlowAlias").asText());
        JsonNode mapper = admin.get("/identity-provider/instances/identity-provider/mappers")
                .get(0);
        assertEquals("pwd##otp##mfa", mapper.at("/config/amr.accepted.values").asText());
    }

    @Test
    void executionsHaveTheirSettings() {
        assertEquals(
                "5",
                config("browser eidas1", "auth-pin-form").get("maxFailures").asText());
        assertEquals(
                "6",
                config("browser eidas1", "auth-email-code-form").get("length").asText());
        assertEquals(
                "10",
                config("my reset credentials", "auth-email-code-form")
                        .get("length")
                        .asText());
        for (String flow : List.of("browser eidas1", "after an identity provider")) {
            JsonNode level = config(flow, "conditional-level-of-authentication");
            assertEquals(
                    "1 36000",
                    level.get("loa-condition-level").asText() + " "
                            + level.get("loa-max-age").asText());
        }
        assertEquals(
                "300",
                admin.get("/authentication/required-actions/delete_credential/config")
                        .at("/config/max_auth_age")
                        .asText());
    }

    @Test
    void personIsAskedForAPinByMailAndHasLostTheOldOne() {
        String camille = admin.user("camille");
        assertEquals(List.of("configure-pin"), texts(admin.get(camille).get("requiredActions")));
        assertEquals(1, mailServer.links("camille@example.org").size());
        for (JsonNode credential : admin.get(camille + "/credentials")) {
            assertEquals("password", credential.get("type").asText());
        }
    }

    /** @return the settings of a policy for registrations with a token */
    private JsonNode policy(String provider) {
        for (JsonNode component : admin.get("/components")) {
            if (component.path("subType").asText().equals("authenticated")
                    && component.get("providerId").asText().equals(provider)) {
                return component.get("config");
            }
        }
        throw new AssertionError("no policy " + provider);
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

    /** @return requirement and name of each execution, indented by its depth */
    private List<String> flow(String alias) {
        return ((ArrayNode) executions(alias))
                .valueStream()
                .map(execution -> "  ".repeat(execution.get("level").asInt())
                        + execution.get("requirement").asText() + " "
                        + execution.get("displayName").asText())
                .toList();
    }

    private JsonNode executions(String alias) {
        return admin.get("/authentication/flows/" + alias.replace(" ", "%20") + "/executions");
    }

    private JsonNode config(String flow, String authenticator) {
        String id =
                admin.execution(flow, authenticator).get("authenticationConfig").asText();
        return admin.get("/authentication/config/" + id).get("config");
    }

    private static List<String> tail(int length, List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - length), lines.size());
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
