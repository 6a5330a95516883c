package io.github.checktoken.guide;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.StoredSecret;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestInstance;

import static io.github.checktoken.support.browser.HtmlPage.assertHas;
import static io.github.checktoken.support.browser.HtmlPage.assertShows;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Takes the JAR away from a server in production mode, as {@code docs/upgrade.md} says: first with all settings still in
 * the realms, then puts it back, and then takes it away after the settings. The database stays.
 */
@Tag("guides")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class RemovalIT {

    private static final Path JAR = Path.of(System.getProperty("checktoken.jar", ""));
    private static final String PIN = "280461";
    private static final String PROVIDER = "identity-provider";
    private static final String MAPPER = "oidc-data-provider-mapper";

    private static final Set<String> EXECUTIONS = Set.of(
            "auth-pin-form", "direct-grant-validate-pin", "auth-email-code-form", "conditional-authentication-method");
    private static final Set<String> MAPPERS = Set.of(
            MAPPER,
            "oidc-given-names-mapper",
            "oidc-requested-amr-mapper",
            "oidc-login-acr-mapper",
            "oidc-amr-idp-mapper");

    private ProductionServer server;
    private Federation federation;

    /** Another demo realm, whose logins work without the JAR as soon as it has Keycloak's flows. */
    private Federation rescued;

    private AdminApi admin;
    private ServiceProvider town;
    private DemoPerson personWithPin;
    private DemoPerson rescuedPersonWithPin;
    private DemoPerson personWhoMustChooseAPin;
    private Tokens tokens;
    private Map<String, Object> answer;
    private long start;

    @BeforeAll
    void useEverything() throws IOException, InterruptedException {
        Path folder = Path.of(System.getProperty("keycloak.home")).getParent();
        server = new ProductionServer(
                folder,
                "keycloak-removal",
                List.of(JAR),
                List.of("--db=dev-file", "--spi-realm-restapi-extension--checktoken--max-wrong-secrets=20"),
                List.of(),
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "JAVA_OPTS_APPEND",
                        System.getProperty("keycloak.java.options", "")));
        federation = Federation.copy(server, 1);
        rescued = Federation.copy(server, 2);
        federation.letPeopleSignInAgainAtOnce();
        rescued.letPeopleSignInAgainAtOnce();
        admin = federation.admin();
        town = federation.town();
        personWithPin =
                new DemoPerson(admin, List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", PIN)), List.of());
        rescuedPersonWithPin = new DemoPerson(
                rescued.admin(), List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", PIN)), List.of());
        personWhoMustChooseAPin =
                new DemoPerson(rescued.admin(), List.of(DemoPerson.PASSWORD), List.of("configure-pin"));
        bindFlowWithUsernameAndPin();
        tokens = town.redeem(passwordLogin(federation, "camille"));
        answer = federation.tax().check(tokens.accessToken()).introspection();
        assertEquals("fc pwd", tokens.amr());
        assertEquals("fc pwd", town.redeem(brokeredLogin(federation)).amr());
    }

    @AfterAll
    void stop() throws IOException {
        if (server != null) {
            server.close();
            assertEquals(List.of(), LogSearch.search(server.log()));
        }
    }

    @Nested
    @Order(1)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class JarIsMissing {

        private String startUp;

        @BeforeAll
        void takeTheJarAway() throws IOException, InterruptedException {
            restart(false);
            startUp = log();
        }

        @Test
        void serverStartsWithoutAWordAboutIt() {
            assertFalse(startUp.contains("checktoken"), startUp);
            assertFalse(startUp.contains(" ERROR "), startUp);
        }

        @Test
        void itsPathsAreNotFound() {
            assertEquals(404, federation.tax().post(tokens.accessToken()).statusCode());
            for (String path : List.of(
                    "/checktoken", "/api/v1/authorize", "/api/v2/.well-known/openid-configuration", "/api/v2/jwks")) {
                assertEquals(
                        404, Http.send(Http.request(federation.url() + path)).statusCode(), path);
            }
            assertEquals(
                    404, admin.send("GET", "/checktoken/data-providers", null).statusCode());
        }

        @Test
        void mappersAreSkippedAndKept() {
            assertNull(town.refresh(tokens).amr());
            String client = admin.client("dp-tax");
            assertTrue(admin.get(client).toString().contains(MAPPER));
            assertTrue(export(federation).contains(MAPPER));
            assertFalse(
                    admin.get(client + "/protocol-mappers/models").toString().contains(MAPPER));
        }

        @Test
        void mapperIsNamedOnlyWhenItIsRequestedByItsId() throws IOException {
            JsonNode mapper = admin.get(admin.client("dp-tax")).at("/protocolMappers/0");
            String path = admin.client("dp-tax") + "/protocol-mappers/models/"
                    + mapper.get("id").asText();
            assertFalse(log().contains(MAPPER));

            HttpResponse<String> read = admin.send("GET", path, null);
            assertEquals(404, read.statusCode());
            assertTrue(read.body().contains("Protocol mapper provider not found"), read::body);
            assertTrue(log().contains("Protocol mapper provider '%s' not found. Configured on mapper with ID '%s'"
                    .formatted(MAPPER, mapper.get("id").asText())));

            HttpResponse<String> save = admin.send("PUT", path, mapper);
            assertEquals(404, save.statusCode());
            assertTrue(save.body().contains("ProtocolMapper provider not found"), save::body);
        }

        @Test
        void loginAtTheIdentityProviderFails() throws IOException {
            HttpResponse<String> page = brokeredLogin(federation);
            int expected = System.getProperty("keycloak.version").startsWith("26.5.") ? 502 : 500;
            assertEquals(expected, page.statusCode(), page::body);
            assertTrue(
                    log().contains("Failed to make identity provider oauth callback: java.lang.NullPointerException"));
            assertTrue(log().lines()
                    .anyMatch(line -> line.contains("type=\"IDENTITY_PROVIDER_LOGIN_ERROR\"")
                            && line.contains("error=\"identity_provider_login_failure\"")));
            assertFalse(log().contains("oidc-amr-idp-mapper"));
        }

        @Test
        void loginWithThePasswordFails() throws IOException {
            HttpResponse<String> page = passwordLogin(federation, "camille");
            assertShows("Unexpected error when handling authentication request to identity provider", page);
            assertTrue(log().contains("KC-SERVICES0013: Failed authentication"));
            assertTrue(log().contains("Unable to find factory for AuthenticatorFactory: auth-pin-form"));
            assertEquals(
                    "invalid_user_credentials",
                    admin.get("/events?type=LOGIN_ERROR").at("/0/error").asText());
        }

        @Test
        void flowCannotBeOpened() throws IOException {
            HttpResponse<String> flow =
                    admin.send("GET", "/authentication/flows/federation%20browser/executions", null);
            assertEquals(404, flow.statusCode(), flow::body);
            assertTrue(flow.body().contains("Could not find authenticator provider"), flow::body);
            assertTrue(log().contains(
                            "Cannot find authentication provider implementation with provider ID 'auth-pin-form'"));
        }

        @Test
        void builtInThemeIsUsed() throws IOException {
            loginPage(federation);
            assertTrue(log().contains("Failed to find LOGIN theme checktoken, using built-in themes"));
        }

        @Test
        void administratorsSeePins() {
            assertTrue(credentials(admin, personWithPin).contains("pin"));
        }

        @Test
        void discoveryDocumentDoesNotNameAmr() {
            JsonNode document =
                    Http.json(Http.send(Http.request(federation.url() + "/.well-known/openid-configuration")));
            assertTrue(document.has("claims_supported"));
            assertFalse(document.get("claims_supported").toString().contains("\"amr\""));
        }

        /** The first logins are without the last steps, to see what they are for. */
        @Test
        void loginsWorkWithKeycloaksFlows() throws IOException {
            AdminApi admin = rescued.admin();
            admin.update("", realm -> realm.put("browserFlow", "browser").put("directGrantFlow", "direct grant"));
            assertNull(rescued.town().redeem(passwordLogin(rescued, "camille")).amr());
            assertTrue(log().contains("Required action provider factory 'configure-pin' configured in the realm '"
                    + rescued.realm() + "' is not available. Provider not found or feature is disabled."));
            HttpResponse<String> page = passwordLogin(rescued, personWhoMustChooseAPin.name());
            assertEquals(500, page.statusCode(), page::body);
            assertTrue(log().contains("Unable to find factory for Required Action: configure-pin"));

            admin.update(
                    "/identity-provider/instances/" + PROVIDER,
                    provider -> provider.put("firstBrokerLoginFlowAlias", "first broker login")
                            .put("postBrokerLoginFlowAlias", ""));
            deleteMappers(admin, "/identity-provider/instances/" + PROVIDER + "/mappers", "identityProviderMapper");
            admin.update("/authentication/required-actions/configure-pin", action -> action.put("enabled", false));

            assertNull(rescued.town().redeem(brokeredLogin(rescued)).amr());
            rescued.town().redeem(passwordLogin(rescued, personWhoMustChooseAPin.name()));
            assertFalse(credentialsInTheAccountConsole().contains("pin"));
            assertTrue(credentials(admin, rescuedPersonWithPin).contains("pin"));
            deletePins(admin, admin.user(rescuedPersonWithPin.name()));
            assertFalse(credentials(admin, rescuedPersonWithPin).contains("pin"));
        }

        private List<String> credentialsInTheAccountConsole() {
            String redirectUri = "https://account.example.org/callback";
            rescued.admin()
                    .create(
                            "/clients",
                            Map.of(
                                    "clientId",
                                    "account-test",
                                    "secret",
                                    "account-test-secret",
                                    "redirectUris",
                                    List.of(redirectUri),
                                    "defaultClientScopes",
                                    List.of("basic", "roles")));
            Tokens tokens = new ServiceProvider(
                            server, rescued.realm(), "account-test", "account-test-secret", redirectUri)
                    .signIn(rescuedPersonWithPin.name(), "openid");
            JsonNode types = Http.json(Http.send(Http.request(rescued.url() + "/account/credentials")
                    .header("Authorization", "Bearer " + tokens.accessToken())
                    .header("Accept", "application/json")));
            assertTrue(types.findValuesAsText("type").contains("password"));
            return types.findValuesAsText("type");
        }
    }

    @Nested
    @Order(2)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class JarIsBack {

        @BeforeAll
        void putTheJarBack() throws IOException, InterruptedException {
            restart(true);
        }

        @Test
        void answersAreAsBefore() {
            Tokens refreshed = town.refresh(tokens);
            assertEquals("fc pwd", refreshed.amr());
            Map<String, Object> now =
                    federation.tax().check(refreshed.accessToken()).introspection();
            for (String member : List.of("sub", "given_name_array", "scope", "acr")) {
                assertEquals(answer.get(member), now.get(member), member);
            }
        }

        @Test
        void everyLoginIsAsBefore() {
            assertEquals(
                    "fc pwd", town.redeem(passwordLogin(federation, "camille")).amr());
            assertEquals("fc pwd", town.redeem(brokeredLogin(federation)).amr());
            Browser browser = new Browser(server);
            HttpResponse<String> form = browser.givePassword(
                    browser.get(town.request().askingForAmr().url()), personWithPin.name());
            assertEquals(
                    "fc pwd pin",
                    town.redeem(browser.submit(form, Map.of("pin", PIN))).amr());
            assertHas("[name=pin]", usernameAlone());
        }
    }

    @Nested
    @Order(3)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class SettingsWereRemovedBefore {

        @BeforeAll
        void removeTheSettingsAndTheJar() throws IOException, InterruptedException {
            forEachExecution(
                    admin,
                    (flow, execution) ->
                            admin.put(executions(flow), ((ObjectNode) execution).put("requirement", "DISABLED")));
            assertNobodyIsLetIn();
            for (AdminApi realm : List.of(admin, rescued.admin())) {
                forEachExecution(
                        realm,
                        (flow, execution) -> realm.delete("/authentication/executions/"
                                + execution.get("id").asText()));
            }
            assertNobodyIsLetIn();
            for (AdminApi realm : List.of(admin, rescued.admin())) {
                deleteEmptySubFlows(realm);
                removeOtherSettings(realm);
            }
            restart(false);
        }

        @Test
        void nothingNamesTheJar() {
            for (Federation each : List.of(federation, rescued)) {
                String export = export(each);
                for (String id : EXECUTIONS) {
                    assertFalse(export.contains(id), id);
                }
                for (String id : MAPPERS) {
                    assertFalse(export.contains(id), id);
                }
                for (String id : List.of("configure-pin", "\"checktoken\"", "\"checktoken.")) {
                    assertFalse(export.contains(id), id);
                }
            }
        }

        /** This is why the guide says to look for such flows before anything else. */
        @Test
        void usernameAloneIsEnoughWhereOnlyThePinProvedSomething() {
            federation.bank().redeem(usernameAlone());
        }

        @Test
        void everyLoginWorksAndNothingIsLogged() throws IOException {
            for (String name : List.of("camille", "nadia", personWithPin.name())) {
                assertNull(town.redeem(passwordLogin(federation, name)).amr(), name);
            }
            assertNull(town.redeem(brokeredLogin(federation)).amr());
            rescued.town().redeem(passwordLogin(rescued, personWhoMustChooseAPin.name()));
            assertEquals(
                    List.of(),
                    log().lines()
                            .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                            .filter(line -> !line.contains("[org.keycloak.common.Profile]"))
                            .toList());
        }
    }

    /** Makes a flow in which only the PIN proves something, for one service provider. */
    private void bindFlowWithUsernameAndPin() {
        String flow = admin.create(
                "/authentication/flows",
                Map.of("alias", "name-and-pin", "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        for (String authenticator : List.of("auth-username-form", "auth-pin-form")) {
            admin.post("/authentication/flows/name-and-pin/executions/execution", Map.of("provider", authenticator));
            ObjectNode execution = (ObjectNode) admin.execution("name-and-pin", authenticator);
            admin.put("/authentication/flows/name-and-pin/executions", execution.put("requirement", "REQUIRED"));
        }
        admin.update(
                admin.client("sp-bank"),
                client ->
                        client.withObject("/authenticationFlowBindingOverrides").put("browser", flow));
    }

    /** @return the page after the username in that flow */
    private HttpResponse<String> usernameAlone() {
        Browser browser = new Browser(server);
        HttpResponse<String> page =
                browser.get(federation.bank().request().without("acr_values").url());
        return browser.submit(page, Map.of("username", personWithPin.name()));
    }

    /** @param withJar whether the JAR is in {@code providers/} at this start */
    private void restart(boolean withJar) throws IOException, InterruptedException {
        server.stop();
        Path installed = server.providers().resolve(JAR.getFileName());
        Files.deleteIfExists(installed);
        if (withJar) {
            Files.copy(JAR, installed);
        }
        start = Files.size(server.log());
        server.build();
        server.start();
    }

    private String log() throws IOException {
        return server.logAfter(start);
    }

    private HttpResponse<String> loginPage(Federation federation) {
        return new Browser(server)
                .get(federation.town().request().askingForAmr().url());
    }

    private HttpResponse<String> passwordLogin(Federation federation, String username) {
        Browser browser = new Browser(server);
        return browser.givePassword(
                browser.get(federation.town().request().askingForAmr().url()), username);
    }

    private HttpResponse<String> brokeredLogin(Federation federation) {
        Browser browser = new Browser(server);
        HttpResponse<String> page =
                browser.get(federation.town().request().askingForAmr().url());
        return browser.givePassword(browser.chooseProvider(page, PROVIDER), "jeanne");
    }

    private static String export(Federation federation) {
        return Http.json(federation
                        .admin()
                        .send("POST", "/partial-export?exportClients=true&exportGroupsAndRoles=true", null))
                .toString();
    }

    /** Keycloak takes a sub-flow that has nothing but conditions for one that failed. */
    private void assertNobodyIsLetIn() {
        assertEquals(400, passwordLogin(federation, "camille").statusCode());
    }

    /** @param work gets the flow and one of its executions */
    private static void forEachExecution(AdminApi admin, BiConsumer<JsonNode, JsonNode> work) {
        for (JsonNode flow : admin.get("/authentication/flows")) {
            for (JsonNode execution : admin.get(executions(flow))) {
                if (EXECUTIONS.contains(execution.path("providerId").asText())) {
                    work.accept(flow, execution);
                }
            }
        }
    }

    /** Deletes the sub-flows that have nothing but conditions now, the innermost first. */
    private static void deleteEmptySubFlows(AdminApi admin) {
        for (JsonNode flow : admin.get("/authentication/flows")) {
            if (flow.get("builtIn").asBoolean()) {
                continue;
            }
            List<JsonNode> rows = admin.get(executions(flow)).valueStream().toList();
            for (int row = rows.size() - 1; row >= 0; row--) {
                int level = rows.get(row).get("level").asInt();
                boolean empty = rows.stream()
                        .skip(row + 1)
                        .takeWhile(each -> each.get("level").asInt() > level)
                        .allMatch(each -> each.path("authenticationFlow").asBoolean()
                                || each.path("providerId").asText().startsWith("conditional-"));
                if (rows.get(row).path("authenticationFlow").asBoolean() && empty) {
                    admin.send(
                            "DELETE",
                            "/authentication/executions/"
                                    + rows.get(row).get("id").asText(),
                            null);
                }
            }
        }
    }

    private static String executions(JsonNode flow) {
        return "/authentication/flows/"
                + Http.encode(flow.get("alias").asText()).replace("+", "%20") + "/executions";
    }

    /** The steps 4 to 9 of the guide. */
    private static void removeOtherSettings(AdminApi admin) {
        for (JsonNode user : admin.get("/users?max=100")) {
            String path = "/users/" + user.get("id").asText();
            admin.update(path, it -> removeFrom(it, "requiredActions", "configure-pin"));
            deletePins(admin, path);
        }
        admin.delete("/authentication/required-actions/configure-pin");
        deleteMappers(admin, "/identity-provider/instances/" + PROVIDER + "/mappers", "identityProviderMapper");
        for (String kind : List.of("/client-scopes", "/clients")) {
            for (JsonNode owner : admin.get(kind)) {
                deleteMappers(
                        admin, kind + "/" + owner.get("id").asText() + "/protocol-mappers/models", "protocolMapper");
            }
        }
        admin.update("", realm -> realm.put("loginTheme", "keycloak").put("emailTheme", "keycloak"));
        admin.update(
                "",
                realm -> realm.withObject("/attributes")
                        .retain(realm.withObject("/attributes").properties().stream()
                                .map(Map.Entry::getKey)
                                .filter(name -> !name.startsWith("checktoken."))
                                .toList()));
    }

    private static List<String> credentials(AdminApi admin, DemoPerson person) {
        return admin.get(admin.user(person.name()) + "/credentials").findValuesAsText("type");
    }

    /** @param user the path of the user */
    private static void deletePins(AdminApi admin, String user) {
        for (JsonNode credential : admin.get(user + "/credentials")) {
            if (credential.get("type").asText().equals("pin")) {
                admin.delete(user + "/credentials/" + credential.get("id").asText());
            }
        }
    }

    private static void removeFrom(ObjectNode object, String list, String value) {
        List<String> rest = object.get(list)
                .valueStream()
                .map(JsonNode::asText)
                .filter(each -> !each.equals(value))
                .toList();
        object.set(list, Http.JSON.valueToTree(rest));
    }

    /** @param member of the mapper, which has the id of its provider */
    private static void deleteMappers(AdminApi admin, String path, String member) {
        for (JsonNode mapper : admin.get(path)) {
            if (MAPPERS.contains(mapper.get(member).asText())) {
                admin.delete(path + "/" + mapper.get("id").asText());
            }
        }
    }
}
