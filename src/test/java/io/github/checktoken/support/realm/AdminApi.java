package io.github.checktoken.support.realm;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * Keycloak's admin REST API for one realm; paths are relative to {@code /admin/realms/{realm}}.
 *
 * <p>Tests leave their realms in the server: deleting one takes as long as creating it, and meanwhile calls of other test
 * classes fail, because the administrator has roles of that realm.
 */
public final class AdminApi {

    private static final Set<String> MOST_USED_ROLES = Set.of(
            "manage-realm",
            "view-realm",
            "manage-clients",
            "view-clients",
            "manage-users",
            "view-users",
            "manage-identity-providers",
            "view-identity-providers");

    /** Each look waits up to a second. */
    private static final int LOOKS = 20;

    private static final Map<URI, Token> TOKENS = new ConcurrentHashMap<>();

    private final KeycloakServer server;
    private final String realm;

    public AdminApi(KeycloakServer server, String realm) {
        this.server = server;
        this.realm = realm;
    }

    public JsonNode get(String path) {
        return Http.json(send("GET", path, null));
    }

    /** @return the id of the created object */
    public String create(String path, Object body) {
        HttpResponse<String> response = send("POST", path, body);
        if (response.statusCode() != 201) {
            throw new AssertionError(response.statusCode() + " from POST " + path + ": " + response.body());
        }
        String location = response.headers().firstValue("Location").orElseThrow();
        if (realm.isEmpty()) {
            new AdminApi(server, Http.json(text(body)).get("realm").asText()).takeRoles();
        }
        return location.substring(location.lastIndexOf('/') + 1);
    }

    /**
     * Gives the administrator the most used roles of this realm directly. Keycloak looks there first; otherwise each call
     * goes through the roles of all realms, of which there are many in the end.
     */
    public void takeRoles() {
        AdminApi master = new AdminApi(server, "master");
        String client = master.client(realm + "-realm");
        List<JsonNode> roles = StreamSupport.stream(
                        master.get(client + "/roles").spliterator(), false)
                .filter(role -> MOST_USED_ROLES.contains(role.get("name").asText()))
                .toList();
        master.post(master.user(KeycloakServer.ADMIN) + client.replaceFirst("/", "/role-mappings/"), roles);
    }

    public void post(String path, Object body) {
        expectSuccess("POST", path, body);
    }

    public void put(String path, Object body) {
        expectSuccess("PUT", path, body);
    }

    public void delete(String path) {
        expectSuccess("DELETE", path, null);
    }

    /** Reads the object at a path, changes it and writes it back. */
    public void update(String path, Consumer<ObjectNode> change) {
        ObjectNode current = (ObjectNode) get(path);
        change.accept(current);
        put(path, current);
    }

    /** @return all data providers as the administrators' view shows them, page by page */
    public List<JsonNode> dataProviders() {
        List<JsonNode> all = new ArrayList<>();
        for (int before = -1; before < all.size(); ) {
            before = all.size();
            get("/checktoken/data-providers?max=200&first=" + before).forEach(all::add);
        }
        return all;
    }

    /** @return one data provider as the administrators' view shows it, when its key is no longer being loaded */
    public JsonNode dataProvider(String clientId) {
        JsonNode status = null;
        for (int look = 0; look < LOOKS && (status == null || isLoading(status)); look++) {
            status = dataProviders().stream()
                    .filter(one -> one.path("clientId").asText().equals(clientId))
                    .findFirst()
                    .orElseThrow();
        }
        return status;
    }

    private static boolean isLoading(JsonNode status) {
        return status.path("problemNames").toString().contains("\"loadingKey\"");
    }

    /** @return the path of a client by its client_id: {@code /clients/{uuid}} */
    public String client(String clientId) {
        return "/clients/"
                + get("/clients?clientId=" + Http.encode(clientId))
                        .get(0)
                        .get("id")
                        .asText();
    }

    /** @return the path of a user by name: {@code /users/{id}} */
    public String user(String username) {
        return "/users/"
                + get("/users?exact=true&username=" + Http.encode(username))
                        .get(0)
                        .get("id")
                        .asText();
    }

    /** @return the id of a client scope by its name */
    public String clientScope(String name) {
        for (JsonNode scope : get("/client-scopes")) {
            if (scope.get("name").asText().equals(name)) {
                return scope.get("id").asText();
            }
        }
        throw new AssertionError("no client scope " + name);
    }

    /** @return the id of an authentication flow by its alias */
    public String flow(String alias) {
        for (JsonNode flow : get("/authentication/flows")) {
            if (flow.get("alias").asText().equals(alias)) {
                return flow.get("id").asText();
            }
        }
        throw new AssertionError("no flow " + alias);
    }

    /** @return the execution of an authenticator in a flow or in its sub-flows */
    public JsonNode execution(String flow, String authenticator) {
        String path = "/authentication/flows/" + Http.encode(flow).replace("+", "%20") + "/executions";
        for (JsonNode execution : get(path)) {
            if (execution.path("providerId").asText().equals(authenticator)) {
                return execution;
            }
        }
        throw new AssertionError("no " + authenticator + " in the flow " + flow);
    }

    /** @return what the server consists of, including its themes */
    public JsonNode serverInfo() {
        return Http.json(sendTo("/admin/serverinfo", "GET", null));
    }

    public HttpResponse<String> send(String method, String path, Object body) {
        return sendTo("/admin/realms/" + realm + path, method, body);
    }

    private HttpResponse<String> sendTo(String path, String method, Object body) {
        HttpRequest.Builder request = Http.request(server.baseUrl() + path)
                .header("Authorization", "Bearer " + token())
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(text(body)));
        return Http.send(request);
    }

    private static String text(Object body) {
        return body instanceof String text ? text : Http.JSON.valueToTree(body).toString();
    }

    private void expectSuccess(String method, String path, Object body) {
        HttpResponse<String> response = send(method, path, body);
        if (response.statusCode() >= 300) {
            throw new AssertionError(response.statusCode() + " from " + method + " " + path + ": " + response.body());
        }
    }

    /** A token is kept for half of its lifetime, because each login costs the server a slow hash. */
    private String token() {
        return TOKENS.compute(
                        server.baseUrl(),
                        (url, kept) -> kept != null && System.nanoTime() < kept.until() ? kept : signIn())
                .token();
    }

    private Token signIn() {
        JsonNode answer = Http.json(Http.send(Http.form(
                server.realmUrl("master") + "/protocol/openid-connect/token",
                Map.of(
                        "grant_type",
                        "password",
                        "client_id",
                        "admin-cli",
                        "username",
                        KeycloakServer.ADMIN,
                        "password",
                        KeycloakServer.ADMIN_PASSWORD))));
        long halfLife = answer.get("expires_in").asLong() * 1_000_000_000L / 2;
        return new Token(answer.get("access_token").asText(), System.nanoTime() + halfLife);
    }

    /** @param until in the time of {@link System#nanoTime} */
    private record Token(String token, long until) {}
}
