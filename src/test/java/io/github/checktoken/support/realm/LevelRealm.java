package io.github.checktoken.support.realm;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * A realm for one test class with two levels: {@code low} is the password, and {@code high} also the PIN. Its tokens say
 * {@code acr} and {@code amr} with this project's mappers; see {@code level-flows.txt} for its clients.
 */
public final class LevelRealm {

    /** Asks for what the requested level needs. */
    public static final String STEPS = "steps";

    /** Always asks for the password, and does not look for a session. */
    public static final String NO_COOKIE = "no-cookie";

    /** Asks for the password and reaches no level. */
    public static final String NO_LEVEL = "no-level";

    /** As {@link #STEPS}, but a login ends the person's other sessions. */
    public static final String ONE_SESSION = "one-session";

    /** Has no flow of its own. */
    public static final String ENFORCED = "enforced";

    public static final String PIN = "739154";

    private static final String SECRET = "level-realm-secret-of-32-bytes-or-more";
    private static final String REDIRECT_URI = "http://localhost:8999/callback";

    private final KeycloakServer server;
    private final String name = "levels-" + UUID.randomUUID();
    private final AdminApi admin;

    public LevelRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "").create("", GivenKey.REALM.addTo(json()));
        admin.post("/authentication/register-required-action", Map.of("providerId", "configure-pin", "name", "PIN"));
        useOwnMappers();
        for (JsonNode flow : admin.get("/authentication/flows")) {
            if (List.of(STEPS, NO_COOKIE, NO_LEVEL, ONE_SESSION)
                    .contains(flow.get("alias").asText())) {
                createClient(
                        flow.get("alias").asText(),
                        Map.of("browser", flow.get("id").asText()));
            }
        }
        createClient(ENFORCED, Map.of());
    }

    private void useOwnMappers() {
        removeMapper("acr loa level");
        String acr = mappers();
        admin.create(
                acr,
                NewDataProvider.mapperJson(
                        "acr",
                        "oidc-login-acr-mapper",
                        Map.of("id.token.claim", "true", "access.token.claim", "true", "lightweight.claim", "true")));
        admin.create(acr, NewDataProvider.mapperJson("amr", "oidc-requested-amr-mapper", Map.of()));
    }

    /** Removes a mapper of the client scope that each client has. */
    public void removeMapper(String name) {
        for (JsonNode mapper : admin.get(mappers())) {
            if (mapper.get("name").asText().equals(name)) {
                admin.delete(mappers() + "/" + mapper.get("id").asText());
            }
        }
    }

    /** Puts Keycloak's mapper in the place of this project's. */
    public void useKeycloaksAcr() {
        removeMapper("acr");
        admin.create(mappers(), keycloaksAcr());
    }

    /** @param flow of the browser, such as {@link #STEPS} */
    public void createClientWithoutOwnMappers(String clientId, String flow) {
        createClient(clientId, Map.of("browser", admin.flow(flow)));
        String path = admin.client(clientId);
        admin.delete(path + "/default-client-scopes/" + admin.clientScope("acr"));
        admin.create(path + "/protocol-mappers/models", keycloaksAcr());
    }

    private static Map<String, Object> keycloaksAcr() {
        return NewDataProvider.mapperJson(
                "acr",
                "oidc-acr-mapper",
                Map.of("id.token.claim", "true", "access.token.claim", "true", "introspection.token.claim", "true"));
    }

    private String mappers() {
        return "/client-scopes/" + admin.clientScope("acr") + "/protocol-mappers/models";
    }

    public AdminApi admin() {
        return admin;
    }

    public String name() {
        return name;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    public KeycloakServer server() {
        return server;
    }

    public Browser browser() {
        return new Browser(server);
    }

    public ServiceProvider client(String clientId) {
        return new ServiceProvider(server, name, clientId, SECRET, REDIRECT_URI);
    }

    /** @return a request that asks for amr, and for no level */
    public AuthorizationRequest request(String clientId) {
        return client(clientId).request().without("acr_values").askingForAmr();
    }

    /** @return a request for amr and the level {@code high} */
    public AuthorizationRequest requestHigh(String clientId) {
        return request(clientId).with("acr_values", "high");
    }

    /** @return the username of somebody with a password and a PIN */
    public String newPerson() {
        String username = "person-" + UUID.randomUUID();
        admin.create(
                "/users",
                Map.of(
                        "username",
                        username,
                        "email",
                        username + "@example.org",
                        "firstName",
                        "Camille",
                        "lastName",
                        "Moreau",
                        "enabled",
                        true,
                        "credentials",
                        List.of(DemoPerson.PASSWORD, StoredSecret.credential("pin", PIN))));
        return username;
    }

    /** Sends the request and enters the password, and the PIN if it is asked for. */
    public HttpResponse<String> open(Browser browser, String username, AuthorizationRequest request) {
        return enter(browser, username, browser.get(request.url()));
    }

    /** Enters the password and the PIN if they are asked for. */
    public HttpResponse<String> enter(Browser browser, String username, HttpResponse<String> page) {
        HttpResponse<String> current = page;
        if (asksFor(current, "password")) {
            current = browser.givePassword(current, username);
        }
        return asksFor(current, "pin") ? browser.submit(current, Map.of("pin", PIN)) : current;
    }

    public Tokens signIn(Browser browser, String username, String clientId, AuthorizationRequest request) {
        return client(clientId).redeem(open(browser, username, request));
    }

    public static boolean asksFor(HttpResponse<String> page, String field) {
        return page.statusCode() == 200 && page.body().contains("name=\"" + field + "\"");
    }

    private void createClient(String clientId, Map<String, String> flows) {
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        SECRET,
                        "redirectUris",
                        List.of(REDIRECT_URI),
                        "implicitFlowEnabled",
                        true,
                        "authenticationFlowBindingOverrides",
                        flows));
    }

    /** Changes a client until the test has run. */
    public void with(String clientId, Consumer<ObjectNode> change, Runnable test) {
        String path = admin.client(clientId);
        ObjectNode before = (ObjectNode) admin.get(path);
        admin.update(path, change);
        try {
            test.run();
        } finally {
            // Keycloak keeps an attribute that is left out.
            ObjectNode attributes = (ObjectNode) before.get("attributes");
            admin.get(path).get("attributes").fieldNames().forEachRemaining(attribute -> {
                if (!attributes.has(attribute)) {
                    attributes.put(attribute, "");
                }
            });
            admin.put(path, before);
        }
    }

    /** The file of the flows has no spaces in settings. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> withSpaces(List<Map<String, Object>> configs) {
        configs.forEach(config -> ((Map<String, String>) config.get("config"))
                .computeIfPresent("behavior", (name, value) -> value.replace('_', ' ')));
        return configs;
    }

    private Map<String, Object> json() {
        FlowText flows = FlowText.load("/level-flows.txt");
        Map<String, Object> realm = new HashMap<>();
        realm.put("realm", name);
        realm.put("enabled", true);
        realm.put("defaultSignatureAlgorithm", "ES256");
        realm.put("eventsEnabled", true);
        realm.put("enabledEventTypes", List.of("LOGIN", "CODE_TO_TOKEN_ERROR", "REFRESH_TOKEN_ERROR"));
        realm.put("registrationAllowed", true);
        realm.put("quickLoginCheckMilliSeconds", 0);
        realm.put("passwordPolicy", "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)");
        realm.put("attributes", Map.of("acr.loa.map", "{\"low\":1,\"high\":2}"));
        realm.put("browserFlow", STEPS);
        realm.put("directGrantFlow", "grant");
        realm.put("authenticationFlows", flows.flows());
        realm.put("authenticatorConfig", withSpaces(flows.configs()));
        return realm;
    }
}
