package io.github.checktoken.introspection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.keycloak.provider.ProviderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.browser.ChromeBrowser;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.page.SignInPage;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.LogSearch;
import io.github.checktoken.support.server.ProductionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.openqa.selenium.By;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server whose only JAR of this project is the one without the login half. */
@Tag("introspection")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IntrospectionAloneIT {

    private static final Path HOME = Path.of(System.getProperty("keycloak.home", ""));
    private static final Path SERVICES = Path.of("src/main/resources/META-INF/services");
    private static final String REALM = "federation";
    private static final String SECRET = "secret-of-sp-of-32-bytes-or-more";
    private static final String CALLBACK = "http://localhost:8999/sp/callback";

    private ProductionServer server;
    private AdminApi admin;
    private DemoPerson person;
    private String token;
    private DataProviderClient dataProvider;

    @BeforeAll
    void start() throws Exception {
        List<String> arguments = new ArrayList<>(new Database(HOME).arguments());
        arguments.add("--log-level=" + KeycloakServer.LOG_LEVEL);
        arguments.add("--spi-realm-restapi-extension--data-providers--page=true");
        server = new ProductionServer(
                HOME.getParent(),
                "keycloak-introspection",
                List.of(Path.of(System.getProperty("introspection.jar"))),
                arguments,
                List.of(),
                Map.of("JAVA_HOME", System.getProperty("java.home")));
        new AdminApi(server, "").create("", GivenKey.REALM.addTo(realm()));
        admin = new AdminApi(server, REALM);
        admin.create("/clients", Map.of("clientId", "sp", "secret", SECRET, "redirectUris", List.of(CALLBACK)));
        person = new DemoPerson(admin, List.of(DemoPerson.PASSWORD), List.of());
        ServiceProvider serviceProvider = new ServiceProvider(server, REALM, "sp", SECRET, CALLBACK);
        token = serviceProvider
                .signIn(
                        new Browser(server),
                        person.name(),
                        serviceProvider.request().without("acr_values").with("scope", "openid"))
                .accessToken();
        dataProvider = new NewDataProvider(
                        admin, server.realmUrl(REALM).toString(), new RSAKeyGenerator(2048).generate())
                .create();
    }

    /** That of the guide, whose attributes ask for the guard, but with Keycloak's own flows, and without {@code amr}. */
    private static JsonNode realm() throws IOException {
        ObjectNode realm = (ObjectNode) Http.json(Files.readString(Path.of("docs/own-realm.json")));
        realm.remove(List.of("browserFlow", "directGrantFlow", "authenticationFlows", "authenticatorConfig"));
        realm.put("bruteForceProtected", false);
        realm.withArray("/clientScopes")
                .removeIf(scope -> scope.path("name").asText().equals("amr"));
        return realm;
    }

    @AfterAll
    void stop() throws IOException {
        if (server != null) {
            server.close();
            assertEquals(List.of(), LogSearch.search(server.log()));
        }
    }

    @Test
    void dataProviderLearnsWhoSignedInAndKeycloaksLevel() {
        Answer answer = dataProvider.check(token);
        assertTrue(answer.active());
        assertEquals("Martin", answer.introspection().get("family_name"));
        assertEquals("eidas1", answer.introspection().get("acr"));
        assertFalse(dataProvider.check("any-token").active());
    }

    @Test
    void wrongSecretIsRefused() {
        DataProviderClient wrong = new DataProviderClient(
                server.realmUrl(REALM).toString(), dataProvider.clientId(), "wrong", dataProvider.privateKey());
        assertEquals(401, wrong.post(token).statusCode());
    }

    @Test
    void viewShowsTheDataProviderAndNothingOfTheGuard() {
        dataProvider.check(token);
        assertEquals(
                Http.json(
                        "{\"realmName\":\"Identity federation\",\"guarded\":false,\"reason\":\"absent\",\"methodsTold\":false}"),
                admin.get("/checktoken/guard"));
        setGuard("off");
        JsonNode status = admin.dataProvider(dataProvider.clientId());
        setGuard("on");
        assertTrue(status.path("answers").path("active").asInt() > 0, status::toString);
        assertFalse(status.toString().contains("gate"), status::toString);
    }

    @Test
    void pageSaysNothingOfTheGuard() {
        String management = admin.client("realm-management");
        admin.post(
                admin.user(person.name()) + "/role-mappings" + management,
                List.of(admin.get(management + "/roles/view-data-providers")));
        try (ChromeBrowser browser = ChromeBrowser.start(Locale.ENGLISH)) {
            browser.open(server.realmUrl(REALM) + "/data-providers");
            new SignInPage(browser).password(person.name());
            assertEquals(
                    "Data providers",
                    browser.find(By.cssSelector("body > main:not([aria-busy]) h1"))
                            .getText());
            assertTrue(browser.find(By.tagName("tbody")).getText().contains(dataProvider.clientId()));
            assertEquals(
                    "",
                    browser.until(chrome ->
                            chrome.executeScript("return document.querySelector('header .guard').textContent")));
        }
    }

    @Test
    void serverListsNothingOfTheLoginHalf() throws Exception {
        String info = new AdminApi(server, "master").serverInfo().toString();
        assertTrue(info.contains("\"oidc-data-provider-mapper\""));
        Set<String> listed = new TreeSet<>(providersOfTheLoginHalf());
        listed.removeIf(id -> !info.contains("\"" + id + "\""));
        // The endpoint's id is the same as that of the guard's provider.
        assertEquals(Set.of("checktoken"), listed);
        assertFalse(new AdminApi(server, "master")
                .serverInfo()
                .at("/providers/authentication-sessions/providers")
                .has("checktoken"));
    }

    private static Set<String> providersOfTheLoginHalf() throws Exception {
        Set<String> ids = new TreeSet<>();
        try (Stream<Path> services = Files.list(SERVICES)) {
            for (Path service : services.toList()) {
                for (String name : Files.readAllLines(service)) {
                    if (name.startsWith("io.github.checktoken.login.")) {
                        ids.add(((ProviderFactory<?>)
                                        Class.forName(name).getConstructor().newInstance())
                                .getId());
                    }
                }
            }
        }
        return ids;
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void logWarnsOnlyOfWhatIsThereAndOfInternalSpis() throws IOException {
        List<String> lines = Files.readAllLines(server.log());
        assertEquals(
                List.of(),
                lines.stream()
                        .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                        // Keycloak also prints these without any provider, the second for the wrong secret.
                        .filter(line -> !line.contains("[org.keycloak.common.Profile]")
                                && !line.contains("[org.keycloak.events]"))
                        .filter(line -> !(line.contains("KC-SERVICES0047") && line.contains("(io.github.checktoken.")))
                        .toList());
        List<String> started =
                lines.stream().filter(line -> line.contains("checktoken 1.")).toList();
        assertTrue(started.stream().anyMatch(line -> line.contains("Endpoint")), started::toString);
        assertFalse(lines.stream().anyMatch(line -> line.contains("checktoken.login") || line.contains("Logins")));
    }

    private void setGuard(String value) {
        admin.update("", realm -> realm.withObject("/attributes").put("checktoken.login.gate", value));
    }
}
