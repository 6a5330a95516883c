package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.page.AccountConsolePage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
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

/** Runs {@code docs/own-realm.sh} as it is, and uses the realm that it makes as {@code docs/own-realm.md} says. */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("guides")
class OwnRealmIT {

    private static final Path SCRIPT = Path.of("docs/own-realm.sh").toAbsolutePath();
    private static final String REALM = "own-realm";
    private static final String SCOPE = "openid given_name family_name water_bills";
    private static final String PIN = "839174";

    /** All that a lightweight access token of the service provider may tell those who read it. */
    private static final Set<String> CLAIMS_OF_ACCESS_TOKEN =
            Set.of("exp", "iat", "auth_time", "jti", "iss", "typ", "azp", "sid", "scope", "acr");

    private final KeycloakServer server;
    private final AdminApi admin;
    private Result result;
    private Path folder;
    private ServiceProvider town;
    private DataProviderClient water;

    OwnRealmIT(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, REALM);
    }

    @BeforeAll
    void runScript(@TempDir Path folder) throws IOException, InterruptedException, JOSEException {
        this.folder = folder;
        RSAKey key = new RSAKeyGenerator(2048).keyID("water-1").generate();
        Files.writeString(folder.resolve("jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        Bash.find("curl");
        Bash.find("jq");
        result = run(folder, Map.of());
        assertEquals(0, result.status(), result.output());

        Map<String, String> sp = exported("sp-town.env");
        Map<String, String> dp = exported("dp-water.env");
        town = new ServiceProvider(server, REALM, sp.get("CLIENT_ID"), sp.get("CLIENT_SECRET"), sp.get("REDIRECT_URI"));
        water = new DataProviderClient(dp.get("REALM"), dp.get("CLIENT_ID"), dp.get("CLIENT_SECRET"), key);
        assertEquals(SCOPE, sp.get("SCOPE"));
    }

    @Test
    void serviceProviderGetsAcrAndAmrAndDataProviderTheIdentity() {
        Tokens tokens = signIn(new Browser(server), "camille");

        assertEquals("eidas1", tokens.acr());
        assertEquals("pwd", tokens.amr());
        assertEquals(
                "Camille Louise Marie",
                Tokens.claims(tokens.idToken()).path("given_name").asText());
        Map<String, Object> answer = water.check(tokens.accessToken()).introspection();
        Map<String, Object> expected = new HashMap<>(Map.of(
                "active", true,
                "aud", "sp-town",
                "client_id", "sp-town",
                "acr", "eidas1",
                "scope", "water_bills"));
        expected.putAll(Map.of(
                "given_name", "Camille Louise Marie",
                "given_name_array", List.of("Camille", "Louise", "Marie"),
                "family_name", "Moreau",
                "gender", "female",
                "birthdate", "1988-03-14",
                "birthplace", "75107",
                "birthcountry", "99100"));
        assertEquals(expected, without(answer, "sub", "iat", "exp", "jti"));
    }

    @Test
    void scopesAreThoseOfANewRealmAndThoseOfTheFile() throws IOException {
        AdminApi fresh = new FreshRealm(server).admin();
        Set<String> expected = names(fresh.get("/client-scopes"));
        expected.addAll(names(
                Http.json(Files.readString(Path.of("docs/own-realm.json"))).get("clientScopes")));
        expected.add("water_bills");
        assertEquals(expected, names(admin.get("/client-scopes")));
        assertEquals(defaultScopesOfAccountConsole(fresh), defaultScopesOfAccountConsole(admin));
    }

    @Test
    void personOpensTheAccountConsole() {
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            assertEquals(
                    "Camille Louise Marie Moreau",
                    AccountConsolePage.signIn(browser, server, REALM, "camille").name());
        }
    }

    @Test
    void pageForAdministratorsIsThatOfTheRealm() {
        assertEquals(
                Http.json("[\"/realms/%s/data-providers\"]".formatted(REALM)),
                admin.get(admin.client("data-providers-page")).get("redirectUris"));
    }

    /** If it did, Keycloak 26.7 could not import an export of the realm, which has these scopes already. */
    @Test
    void realmKeepsNoInstructionOfItsImport() {
        assertFalse(admin.get("").get("attributes").has("CreateDefaultClientScopes"));
    }

    @Test
    void accessTokenTellsNobodyWhoThePersonIs() {
        Tokens tokens = signIn(new Browser(server), newPerson().name());
        Set<String> claims = new TreeSet<>();
        tokens.accessClaims().fieldNames().forEachRemaining(claims::add);
        claims.removeAll(CLAIMS_OF_ACCESS_TOKEN);
        assertEquals(Set.of(), claims);
    }

    /** Otherwise a data provider could ask the userinfo endpoint for the claims of the service provider. */
    @Test
    void onlyTheTokenThatStaysWithTheServiceProviderOpensUserinfo() {
        Tokens tokens = signIn(new Browser(server), newPerson().name());
        assertEquals("Martin", Http.json(userinfo(tokens)).path("family_name").asText());
        Tokens narrowed = town.token(
                Map.of("grant_type", "refresh_token", "refresh_token", tokens.refreshToken(), "scope", "water_bills"));
        boolean keepsOpenid = System.getProperty("keycloak.version").startsWith("26.5.");
        assertEquals(keepsOpenid ? 200 : 403, userinfo(narrowed).statusCode());
        assertFalse(userinfo(narrowed).body().contains("Martin"));
        assertEquals(
                "water_bills",
                water.check(narrowed.accessToken()).introspection().get("scope"));
    }

    private HttpResponse<String> userinfo(Tokens tokens) {
        return Http.send(Http.request(server.realmUrl(REALM) + "/protocol/openid-connect/userinfo")
                .header("Authorization", "Bearer " + tokens.accessToken()));
    }

    @Test
    void singleSignOnIsEidas1WithoutAnotherPrompt() {
        Browser browser = new Browser(server);
        signIn(browser, newPerson().name());
        Tokens second = signIn(browser, null);
        assertEquals("eidas1", second.acr());
        assertEquals("pwd", second.amr());
    }

    @Test
    void wrongPasswordIsRejected() {
        String person = newPerson().name();
        Browser browser = new Browser(server);
        HttpResponse<String> page = browser.get(request(new CodeVerifier()));
        HttpResponse<String> after = browser.submit(page, Map.of("username", person, "password", "wrong"));
        assertShows("Invalid username or password.", after);
    }

    @Test
    void personWithPinEntersIt() {
        String person = newPerson(List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", PIN)), List.of())
                .name();
        Browser browser = new Browser(server);
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> page = browser.givePassword(browser.get(request(verifier)), person);
        assertShows("Enter your PIN", page);
        Tokens tokens = town.redeem(browser.submit(page, Map.of("pin", PIN)), verifier);
        assertEquals("pwd pin", tokens.amr());
        assertEquals("eidas1", tokens.acr());
    }

    @Test
    void personIsAskedToChooseAPin() {
        String person = newPerson(List.of(DemoPerson.PASSWORD), List.of("configure-pin"))
                .name();
        Browser browser = new Browser(server);
        assertShows("Choose a PIN", browser.givePassword(browser.get(request(new CodeVerifier())), person));
    }

    /** The realm has no mail server, so the page is all that this person gets. */
    @Test
    void personWithTheRoleNeedsACodeByEmail() {
        String person = newPerson().name();
        admin.post(admin.user(person) + "/role-mappings/realm", List.of(admin.get("/roles/code-by-email")));
        Browser browser = new Browser(server);
        HttpResponse<String> page = browser.givePassword(browser.get(request(new CodeVerifier())), person);
        assertShows("The e-mail could not be sent.", page);
    }

    @Test
    void nobodyGetsATokenWithThePasswordAlone() {
        HttpResponse<String> response = Http.send(Http.form(
                server.realmUrl(REALM) + "/protocol/openid-connect/token",
                Map.of(
                        "grant_type", "password",
                        "client_id", "admin-cli",
                        "username", newPerson().name(),
                        "password", "demo-password")));
        assertEquals(401, response.statusCode(), response::body);
    }

    @Test
    void userProfileChecksTheIdentity() {
        String path = admin.user(newPerson().name());
        for (String attribute : List.of("gender", "birthdate", "birthplace", "birthcountry")) {
            ObjectNode changed = admin.get(path).deepCopy();
            changed.withObject("/attributes").putArray(attribute).add("14/03/1988");
            HttpResponse<String> response = admin.send("PUT", path, changed);
            assertEquals(400, response.statusCode(), attribute);
            assertTrue(response.body().contains(attribute), response::body);
        }
    }

    @Test
    void requestWithoutPkceIsRejected() {
        String location = new Browser(server)
                .get(town.request().url())
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertTrue(location.contains("error=invalid_request"), location);
    }

    @Test
    void subjectsHaveARandomSaltAndYouHaveACopy() throws IOException {
        assertTrue(salt().matches("[\\w-]{40}"));
        JsonNode mapper =
                admin.get(admin.client("dp-water") + "/protocol-mappers/models").get(0);
        assertEquals(salt(), mapper.at("/config/pairwiseSubAlgorithmSalt").asText());
    }

    /** So that a warning can come when they are old. */
    @Test
    void clientsSayWhenTheirSecretsWereMade() {
        for (String clientId : List.of("sp-town", "dp-water")) {
            long made = admin.get(admin.client(clientId))
                    .path("attributes")
                    .path("client.secret.creation.time")
                    .asLong();
            assertTrue(Math.abs(Instant.now().getEpochSecond() - made) < 3600, clientId + ": " + made);
        }
    }

    /** Error pages link to the first page of the service. */
    @Test
    void namesAreInPlainWords() {
        assertEquals("Identity federation", admin.get("").get("displayName").asText());
        JsonNode sp = admin.get(admin.client("sp-town"));
        assertEquals("Town hall", sp.get("name").asText());
        assertEquals("http://localhost:8999/", sp.get("baseUrl").asText());
        assertEquals(
                "Water supplier",
                admin.get(admin.client("dp-water")).get("name").asText());
    }

    @Test
    void scriptPrintsNoSecret() throws IOException {
        for (String secret :
                List.of(town.secret(), water.secret(), salt(), "demo-password", KeycloakServer.ADMIN_PASSWORD)) {
            assertFalse(result.output().contains(secret), result.output());
        }
    }

    @Test
    void secretsAreReadableOnlyByTheirOwner() throws IOException {
        for (String file : List.of("sp-town.env", "dp-water.env", "dp-water.salt")) {
            assertEquals(
                    "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))));
        }
    }

    @Test
    void realmThatExistsStaysAsItIs(@TempDir Path other) throws IOException, InterruptedException {
        Files.copy(folder.resolve("jwks.json"), other.resolve("jwks.json"));
        Result second = run(other, Map.of());
        assertEquals(1, second.status(), second.output());
        assertTrue(second.output().contains("The realm " + REALM + " exists already."), second.output());
        assertTrue(second.output().contains("Failed: Create the realm " + REALM), second.output());
    }

    @Test
    void wrongSettingStopsTheScriptBeforeKeycloakIsCalled(@TempDir Path other)
            throws IOException, InterruptedException {
        Files.writeString(other.resolve("private.json"), water.privateKey().toJSONString());
        assertStopsAtOnce("sp-town.env is there already", run(folder, Map.of()));
        assertStopsAtOnce("jwks.json is not there", run(other, Map.of()));
        assertStopsAtOnce("holds a private key", run(other, Map.of("DP_KEYS", "private.json")));
        for (String password : List.of("KC_CLI_PASSWORD", "PERSON_PASSWORD")) {
            Map<String, String> withoutIt = Map.of(password, "", "DP_KEYS", "https://water.example.org/jwks.json");
            assertStopsAtOnce("set KC_CLI_PASSWORD", run(other, withoutIt));
        }
    }

    private static Set<String> names(JsonNode scopes) {
        Set<String> names = new TreeSet<>();
        scopes.forEach(scope -> names.add(scope.get("name").asText()));
        return names;
    }

    private static Set<String> defaultScopesOfAccountConsole(AdminApi realm) {
        Set<String> names = new TreeSet<>();
        realm.get(realm.client("account-console")).get("defaultClientScopes").forEach(name -> names.add(name.asText()));
        return names;
    }

    private String salt() throws IOException {
        return Files.readString(folder.resolve("dp-water.salt")).strip();
    }

    private static void assertStopsAtOnce(String reason, Result stopped) {
        assertEquals(1, stopped.status(), stopped.output());
        assertTrue(stopped.output().contains(reason), stopped.output());
        assertFalse(stopped.output().contains("Sign in to"), stopped.output());
    }

    private Result run(Path folder, Map<String, String> settings) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER",
                server.baseUrl().toString(),
                "ADMIN",
                KeycloakServer.ADMIN,
                "REALM_NAME",
                REALM,
                "PERSON_PASSWORD",
                "demo-password"));
        environment.putAll(settings);
        return Bash.run(folder, environment, SCRIPT.toString());
    }

    /** @return the variables that a file of the script exports */
    private Map<String, String> exported(String file) throws IOException {
        Map<String, String> variables = new HashMap<>();
        Matcher matcher =
                Pattern.compile("(?m)^export (\\w+)='([^']*)'$").matcher(Files.readString(folder.resolve(file)));
        while (matcher.find()) {
            variables.put(matcher.group(1), matcher.group(2));
        }
        return variables;
    }

    /** @param username null if no form may be shown */
    private Tokens signIn(Browser browser, String username) {
        CodeVerifier verifier = new CodeVerifier();
        HttpResponse<String> response = browser.get(request(verifier));
        return town.redeem(username == null ? response : browser.givePassword(response, username), verifier);
    }

    private String request(CodeVerifier verifier) {
        return town.request()
                .with("scope", SCOPE)
                .askingForAmr()
                .challenging(verifier, CodeChallengeMethod.S256)
                .url();
    }

    /** A person for one test: Keycloak's brute force detection is on, and slows down the next login of the same person. */
    private DemoPerson newPerson() {
        return newPerson(List.of(DemoPerson.PASSWORD), List.of());
    }

    private DemoPerson newPerson(List<Map<String, String>> credentials, List<String> requiredActions) {
        return new DemoPerson(admin, credentials, requiredActions);
    }

    private static Map<String, Object> without(Map<String, Object> members, String... names) {
        Map<String, Object> others = new HashMap<>(members);
        List.of(names).forEach(others::remove);
        return others;
    }
}
