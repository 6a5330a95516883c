package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.github.checktoken.guide.Bash.Result;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Runs {@code tools/federation} as {@code docs/federation-as-code.md} says, from a server without the realm. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("It measures the time of 1,700 clients.")
@Tag("guides")
class FederationAsCodeIT {

    private static final Path TOOL = Path.of("tools/federation").toAbsolutePath();
    private static final String REDIRECT_URI = "https://town.example.org/callback";
    private static final String GAS_SECRET = "secret-of-the-gas-supplier-0123456789";
    private static final String TELLS_ITS_MEMORY = "--import=data:text/javascript,"
            + "process.on('exit',()=>console.log(process.resourceUsage().maxRSS/1024+'+MB'))";

    private static final int DATA_PROVIDERS = 200;
    private static final int SERVICE_PROVIDERS = 1500;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final KeycloakServer server;
    private RSAKey key;

    FederationAsCodeIT(KeycloakServer server) {
        this.server = server;
    }

    @BeforeAll
    void installPackages() throws IOException, InterruptedException, JOSEException {
        Bash.find("node");
        Bash.find("npm");
        key = new RSAKeyGenerator(3072).keyID("2026").generate();
        LogSearch.add("client secret", GAS_SECRET);
        if (!Files.isDirectory(TOOL.resolve("node_modules"))) {
            Result installed =
                    Bash.run(TOOL, Map.of(), "-c", "npm ci --prefer-offline --ignore-scripts --no-audit --no-fund");
            assertEquals(0, installed.status(), installed.output());
        }
    }

    @Test
    void unitTestsPass() throws IOException, InterruptedException {
        Result tests = Bash.run(TOOL, Map.of(), "-c", "node --test test/*.test.js");
        assertEquals(0, tests.status(), tests.output());
    }

    @Test
    void exampleHasNoErrors(@TempDir Path folder) throws IOException, InterruptedException {
        Files.copy(TOOL.resolve("federation.yaml"), folder.resolve("federation.yaml"));
        assertTrue(run(0, folder, "export").contains("\"clientId\": \"dp-water\""));
    }

    @Test
    void federationIsPlannedMadeChangedPrunedAndRemoved(@TempDir Path folder) throws IOException, InterruptedException {
        String realm = "as-code";
        AdminApi admin = new AdminApi(server, realm);
        write(folder, federation(realm));

        String plan = run(2, folder, "plan");
        String guarded = "are to be guarded: its attribute checktoken.login.gate is on.\n";
        assertTrue(plan.startsWith("Logins of realm as-code " + guarded + "+ realm as-code\n"), plan);
        assertEquals(404, admin.send("GET", "", null).statusCode());

        String applied = run(0, folder, "apply");
        assertTrue(applied.contains("Done and checked, in "), applied);
        assertEquals(guarded(realm) + "Nothing to change.\n", run(0, folder, "plan"));
        assertEquals("on", admin.get("").at("/attributes/checktoken.login.gate").asText());
        String secrets = filesWithSecrets(folder);
        for (String secret : secrets.split("\n")) {
            assertFalse((plan + applied).contains(secret), "a secret is printed");
        }

        DemoPerson person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
        Map<String, Object> water = answer(folder, realm, person.name(), "dp-water");
        assertEquals("water_bills", water.get("scope"));
        assertEquals("Claude", water.get("given_name"));
        assertEquals("eidas1", water.get("acr"));

        write(
                folder,
                federation(realm)
                        .replace("Water supplier", "Water of the town")
                        .replaceAll("(?s)  dp-gas:.*?(?=service-providers)", "")
                        .replace("  gas_bills:\n", "")
                        .replace(", gas_bills]", "]"));
        plan = run(2, folder, "plan");
        assertTrue(plan.contains("Note: client dp-gas is no longer in the file. Only --prune removes it."), plan);
        assertTrue(plan.contains("~ client dp-water\n    name: Water supplier -> Water of the town\n"), plan);
        assertTrue(plan.contains("scopes: gas_bills, given_name, water_bills -> given_name, water_bills"), plan);
        run(0, folder, "apply");
        assertEquals(1, admin.get("/clients?clientId=dp-gas").size());
        assertEquals(
                water.get("sub"),
                answer(folder, realm, person.name(), "dp-water").get("sub"));

        String pruned = run(0, folder, "apply --prune");
        assertTrue(pruned.contains("- client dp-gas\n- scope gas_bills\n"), pruned);
        assertEquals(0, admin.get("/clients?clientId=dp-gas").size());
        assertEquals(guarded(realm) + "Nothing to change.\n", run(0, folder, "plan"));

        assertTrue(run(2, folder, "remove").contains("Nothing was removed."));
        run(0, folder, "remove --yes");
        assertEquals(0, admin.get("/clients?clientId=dp-water").size());
        assertEquals(1, admin.get("/users").size());

        run(0, folder, "apply");
        assertEquals(secrets, filesWithSecrets(folder));
        assertEquals(
                water.get("sub"),
                answer(folder, realm, person.name(), "dp-water").get("sub"));
    }

    /** What is left to do is what no import can do: Keycloak creates the scope acr itself. */
    @Test
    void importOfTheExportNeedsOneChange(@TempDir Path folder) throws IOException, InterruptedException {
        assumeFalse(System.getProperty("keycloak.version").startsWith("26.5."), "It creates no scopes at an import.");
        String realm = "as-code-import";
        write(folder, federation(realm));
        importRealm(run(0, folder, "export"), "${%s}");

        assertEquals(guarded(realm) + """
                ~ scope acr
                    tells the level of the login
                0 to create, 1 to change, 0 to remove.
                """, run(2, folder, "plan"));
        run(0, folder, "apply");
        assertEquals(guarded(realm) + "Nothing to change.\n", run(0, folder, "plan"));
        AdminApi admin = new AdminApi(server, realm);
        FreshRealm fresh = new FreshRealm(server);
        for (String client : List.of("account-console", "account")) {
            assertEquals(
                    texts(fresh.admin().get(fresh.admin().client(client)).get("defaultClientScopes")),
                    texts(admin.get(admin.client(client)).get("defaultClientScopes")));
        }
    }

    /** Keycloak's own import reads it, too. keycloak-config-cli itself is not run. */
    @Test
    void importOfTheExportForConfigCliNeedsNoChange(@TempDir Path folder) throws IOException, InterruptedException {
        String realm = "as-code-config-cli";
        write(folder, federation(realm));
        importRealm(run(0, folder, "export --for config-cli"), "$(env:%s)");
        assertEquals(guarded(realm) + "Nothing to change.\n", run(0, folder, "plan"));
    }

    private void importRealm(String export, String variable) {
        String json = export.substring(0, export.lastIndexOf("}\n") + 1)
                .replace(variable.formatted("GAS_SECRET"), GAS_SECRET)
                .replace(variable.formatted("DP_WATER_SALT"), "salt-of-the-water-supplier")
                .replace(variable.formatted("DP_GAS_SALT"), "salt-of-the-gas-supplier");
        new AdminApi(server, "").create("", Http.json(json));
    }

    @Test
    void serviceAccountOfTheRealmIsEnough(@TempDir Path folder) throws IOException, InterruptedException {
        String realm = "as-code-account";
        String secret = "secret-of-the-program-0123456789";
        AdminApi admin = new AdminApi(server, realm);
        write(folder, federation(realm));
        run(0, folder, "apply");
        String id = admin.create(
                "/clients",
                Map.of(
                        "clientId", "program",
                        "secret", secret,
                        "publicClient", false,
                        "standardFlowEnabled", false,
                        "serviceAccountsEnabled", true));
        String management = admin.client("realm-management");
        String user =
                admin.get("/clients/" + id + "/service-account-user").get("id").asText();
        admin.post(
                "/users/" + user + "/role-mappings" + management,
                List.of(
                        admin.get(management + "/roles/manage-clients"),
                        admin.get(management + "/roles/manage-realm")));

        write(folder, "levels: { eidas1: 1, eidas2: 2 }\n" + federation(realm).replace("Town hall", "City hall"));
        Files.writeString(folder.resolve("program.secret"), secret + "\n");
        Map<String, String> environment = Map.of(
                "ADMIN_CLIENT",
                "program",
                "LOGIN_REALM",
                realm,
                "KC_CLI_CLIENT_SECRET_FILE",
                folder.resolve("program.secret").toString());
        String applied = run(0, folder, "apply", environment);
        assertTrue(applied.contains("levels: eidas1 1 -> eidas1 1, eidas2 2"), applied);
        assertEquals("City hall", admin.get(admin.client("sp-town")).get("name").asText());
        assertTrue(admin.get("").at("/attributes/acr.loa.map").asText().contains("eidas2"));
    }

    /** What an administrator has changed in Keycloak meanwhile, and a level that the flow of the realm does not reach. */
    @Test
    void otherSaltsSecretsAndFlowsAreTold(@TempDir Path folder) throws IOException, InterruptedException {
        String realm = "as-code-told";
        AdminApi admin = new AdminApi(server, realm);
        write(
                folder,
                "levels: { eidas1: 1, eidas2: 2 }\n" + federation(realm).replace("level: eidas1", "level: eidas2"));
        String level = """
                Note: logins of sp-town can stay below its level eidas2, because the flow "browser eidas1" does not reach it. \
                Bind one that does (docs/acr-and-amr.md).
                """;
        String applied = run(0, folder, "apply");
        assertTrue(applied.startsWith(level + "+ realm "), applied);
        assertEquals(guarded(realm) + level + "Nothing to change.\n", run(0, folder, "plan"));
        filesWithSecrets(folder);

        setSalt(admin, "dp-water", "");
        setSalt(admin, "dp-gas", "another");
        admin.post(admin.client("sp-town") + "/client-secret", null);
        String others = """
                Note: dp-gas has another subject salt than dp-gas.salt. Its subjects stay as Keycloak has them. \
                Correct the file or the mapper.
                Note: sp-town.env has another secret than sp-town. Correct or remove the file before it is handed over.
                """;
        assertEquals(guarded(realm) + others + level + """
                ~ client dp-water
                    subject salt: nothing -> the copy in dp-water.salt. Without it, all its subjects have changed; \
                the copy brings the former ones back
                0 to create, 1 to change, 0 to remove.
                """, run(2, folder, "plan"));
        run(0, folder, "apply");
        assertEquals(
                Files.readString(folder.resolve("secrets/dp-water.salt")).strip(), salt(mapper(admin, "dp-water")));
        assertEquals("another", salt(mapper(admin, "dp-gas")));

        admin.post("/authentication/flows/browser%20eidas1/copy", Map.of("newName", "browser eidas2"));
        JsonNode condition = admin.execution("browser eidas2", "conditional-level-of-authentication");
        admin.update(
                "/authentication/config/"
                        + condition.get("authenticationConfig").asText(),
                settings -> settings.withObject("/config").put("loa-condition-level", "2"));
        String flow = admin.flow("browser eidas2");
        admin.update(
                admin.client("sp-town"),
                client -> client.putObject("authenticationFlowBindingOverrides").put("browser", flow));
        assertEquals(guarded(realm) + others + "Nothing to change.\n", run(0, folder, "plan"));
    }

    /** @return the first line of a plan */
    private static String guarded(String realm) {
        return "Logins of realm " + realm + " are guarded: its attribute checktoken.login.gate is on.\n";
    }

    private static void setSalt(AdminApi admin, String clientId, String salt) {
        ObjectNode mapper = mapper(admin, clientId);
        mapper.withObject("/config").put("pairwiseSubAlgorithmSalt", salt);
        admin.put(
                admin.client(clientId) + "/protocol-mappers/models/"
                        + mapper.get("id").asText(),
                mapper);
    }

    private static String salt(JsonNode mapper) {
        return mapper.at("/config/pairwiseSubAlgorithmSalt").asText();
    }

    private static ObjectNode mapper(AdminApi admin, String clientId) {
        return (ObjectNode)
                admin.get(admin.client(clientId) + "/protocol-mappers/models").get(0);
    }

    @Test
    void wrongPasswordIsToldInWords(@TempDir Path folder) throws IOException, InterruptedException {
        write(folder, federation("as-code-nothing"));
        String output = run(1, folder, "plan", Map.of("KC_CLI_PASSWORD", "wrong-password"));
        assertTrue(output.contains(" (Invalid user credentials) at /realms/master/"), output);
    }

    @Test
    void realmWithoutTheKeyIsAnError(@TempDir Path folder) throws IOException, InterruptedException {
        write(folder, federation(new FreshRealm(server).name()));
        String output = run(1, folder, "plan");
        assertTrue(
                output.contains("federation.yaml:7: data provider dp-water: the realm has no active key for ES256"),
                output);
    }

    /**
     * 200 data providers and 1,500 service providers. Of these, 20 are wrong in 10 ways: 16 in ways that the file shows,
     * and 4 in ways that only the keys show.
     */
    @Test
    void largeFederationIsMadeInThreeMinutesAndItsMistakesAreFound(@TempDir Path folder)
            throws IOException, InterruptedException, JOSEException {
        String realm = "as-code-large";
        RSAKey small = new RSAKeyGenerator(2048).keyID("small").generate();
        Files.writeString(folder.resolve("small.json"), new JWKSet(small.toPublicJWK()).toString());
        Large wrong = new Large(realm, true);
        write(folder, wrong.yaml());
        String output = run(1, folder, "plan");
        Set<Integer> lines = new TreeSet<>();
        Matcher error = Pattern.compile("(?m)^federation\\.yaml:(\\d+): ").matcher(output);
        while (error.find()) {
            lines.add(Integer.valueOf(error.group(1)));
        }
        assertEquals(wrong.lines().keySet(), lines, output);
        assertTrue(output.endsWith("16 errors.\n"), output);
        System.out.println("Plan of a federation with mistakes:\n" + output);

        write(folder, new Large(realm, false).yaml());
        timed("plan of an empty server", folder, 2, "plan");
        Duration took = timed("apply", folder, 0, "apply");
        assertTrue(took.compareTo(LIMIT) <= 0, took::toString);
        timed("second plan", folder, 0, "plan");
        timed("second apply", folder, 0, "apply");

        AdminApi admin = new AdminApi(server, realm);
        assertEquals(DATA_PROVIDERS, admin.dataProviders().size());
        Map<String, String> problems = new TreeMap<>();
        for (String id : Large.WRONG_KEYS) {
            admin.dataProvider(id);
        }
        for (JsonNode status : admin.get("/checktoken/data-providers?problem=any&max=200")) {
            problems.put(
                    status.get("clientId").asText(), status.get("problemNames").toString());
        }
        System.out.println("In the list: " + problems);
        assertEquals(new TreeSet<>(Large.WRONG_KEYS), problems.keySet());

        timed("remove", folder, 0, "remove --yes");
    }

    private Duration timed(String what, Path folder, int status, String command)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        String output = run(status, folder, command, Map.of("NODE_OPTIONS", TELLS_ITS_MEMORY));
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        System.out.printf(
                "%s: %.1f s: %s%n",
                what,
                took.toMillis() / 1000.0,
                output.lines().skip(Math.max(0, output.lines().count() - 2)).collect(Collectors.joining(" ")));
        return took;
    }

    private String run(int status, Path folder, String command) throws IOException, InterruptedException {
        return run(status, folder, command, Map.of());
    }

    /** @return what it printed */
    private String run(int status, Path folder, String command, Map<String, String> settings)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER", server.baseUrl().toString(),
                "MAIN", TOOL.resolve("src/main.js").toString(),
                "GAS_SECRET", GAS_SECRET));
        environment.putAll(settings);
        Result result = Bash.run(folder, environment, "-c", "exec node \"$MAIN\" " + command + " federation.yaml");
        assertEquals(status, result.status(), result.output());
        return result.output();
    }

    private void write(Path folder, String yaml) throws IOException {
        Files.writeString(folder.resolve("federation.yaml"), yaml);
        Files.writeString(folder.resolve("keys.json"), new JWKSet(key.toPublicJWK()).toString());
    }

    private static String federation(String realm) {
        return """
                realm: %s
                title: Federation as code
                scopes:
                  water_bills: Your water bills
                  gas_bills:
                data-providers:
                  dp-water:
                    name: Water supplier
                    keys: keys.json
                    scopes: [water_bills]
                  dp-gas:
                    name: Gas supplier
                    keys: keys.json
                    scopes: [gas_bills]
                    identity: false
                    content-encryption: A128CBC-HS256
                    identity-only-with-scope: true
                    secret: { env: GAS_SECRET }
                service-providers:
                  sp-town:
                    name: Town hall
                    redirect-uris: [%s]
                    scopes: [given_name, water_bills, gas_bills]
                    level: eidas1
                """.formatted(realm, REDIRECT_URI);
    }

    /** Signs the person in at {@code sp-town}, and lets a data provider check the access token. */
    private Map<String, Object> answer(Path folder, String realm, String person, String dataProvider)
            throws IOException {
        ServiceProvider town = new ServiceProvider(server, realm, "sp-town", secret(folder, "sp-town"), REDIRECT_URI);
        Browser browser = new Browser(server);
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> form = browser.get(town.request()
                .with("scope", "openid given_name water_bills")
                .challenging(verifier, CodeChallengeMethod.S256)
                .url());
        Tokens tokens = town.redeem(browser.givePassword(form, person), verifier);
        DataProviderClient client = new DataProviderClient(
                server.realmUrl(realm).toString(), dataProvider, secret(folder, dataProvider), key);
        return client.check(tokens.accessToken()).introspection();
    }

    private static String secret(Path folder, String clientId) throws IOException {
        Matcher matcher = Pattern.compile("(?m)^export CLIENT_SECRET='([^']*)'$")
                .matcher(Files.readString(folder.resolve("secrets").resolve(clientId + ".env")));
        assertTrue(matcher.find());
        return matcher.group(1);
    }

    /** @return all secrets and salts, one per line; each file must be readable only by its owner */
    private static String filesWithSecrets(Path folder) throws IOException {
        List<String> secrets = new ArrayList<>(List.of(GAS_SECRET));
        try (Stream<Path> files = Files.list(folder.resolve("secrets"))) {
            for (Path file : files.sorted().toList()) {
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
                String name = file.getFileName().toString();
                secrets.add(
                        name.endsWith(".env")
                                ? secret(folder, name.replace(".env", ""))
                                : Files.readString(file).strip());
            }
        }
        assertEquals(5, secrets.size());
        secrets.forEach(secret -> LogSearch.add("client secret or salt", secret));
        return String.join("\n", secrets);
    }

    private static Set<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A federation file with 1,700 providers. In each of the ways, two providers are wrong. */
    private static final class Large {

        /** These are in each file: no check of the file finds them. */
        static final List<String> WRONG_KEYS = List.of("dp-0016", "dp-0017", "dp-0018", "dp-0019");

        private final List<String> all = new ArrayList<>();
        private final Map<Integer, String> wrongLines = new TreeMap<>();
        private final boolean withMistakes;

        Large(String realm, boolean withMistakes) {
            this.withMistakes = withMistakes;
            all.add("realm: " + realm);
            all.add("scopes:");
            IntStream.range(0, DATA_PROVIDERS).forEach(number -> all.add("  scope_%04d:".formatted(number)));
            all.add("data-providers:");
            IntStream.range(0, DATA_PROVIDERS).forEach(this::dataProvider);
            all.add("service-providers:");
            IntStream.range(0, SERVICE_PROVIDERS).forEach(this::serviceProvider);
        }

        String yaml() {
            return String.join("\n", all) + "\n";
        }

        Map<Integer, String> lines() {
            return wrongLines;
        }

        private void dataProvider(int number) {
            all.add("  dp-%04d:".formatted(number));
            all.add("    name: Data provider " + number);
            switch (number) {
                case 0, 1 -> line("    keys: keys.json", "    keys: http://dp.example.org/jwks.json");
                case 16, 17 -> all.add("    keys: https://127.0.0.1:1/jwks.json");
                case 18, 19 -> all.add("    keys: small.json");
                default -> all.add("    keys: keys.json");
            }
            switch (number) {
                case 2, 3 ->
                    line(
                            "    scopes: [scope_%04d]".formatted(number),
                            "    scopes: [scope_%04d, scope_0000]".formatted(number));
                default -> all.add("    scopes: [scope_%04d]".formatted(number));
            }
            switch (number) {
                case 4, 5 -> line("    signature: ES256", "    signature: HS256");
                case 6, 7 -> line("    auth-time: false", "    auth_time: false");
                default -> {}
            }
        }

        private void serviceProvider(int number) {
            all.add("  sp-%04d:".formatted(number));
            all.add("    name: Service provider " + number);
            String address = "https://sp%d.example.org/".formatted(number);
            switch (number) {
                case 0, 1 ->
                    line(
                            "    redirect-uris: [%scallback]".formatted(address),
                            "    redirect-uris: ['%s*']".formatted(address));
                default -> all.add("    redirect-uris: [%scallback]".formatted(address));
            }
            switch (number) {
                case 2, 3 -> line("    scopes: [given_name, scope_0000]", "    scopes: [given_name, scope_0x00]");
                default ->
                    all.add("    scopes: [given_name, scope_%04d, scope_%04d]"
                            .formatted(number % DATA_PROVIDERS, (number + 1) % DATA_PROVIDERS));
            }
            switch (number) {
                case 4, 5 -> line("    level: eidas1", "    level: eidas9");
                case 6, 7 -> line("    amr: true", "    secret: secret-in-the-wrong-place");
                default -> {}
            }
        }

        private void line(String right, String wrong) {
            all.add(withMistakes ? wrong : right);
            if (withMistakes) {
                wrongLines.put(all.size(), wrong);
            }
        }
    }
}
