package io.github.checktoken.keycloak;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Each way in which a realm begins to use this project is seen at once, although nobody asks the database again. */
@ExtendWith(KeycloakExtension.class)
class RealmUseIT {

    private static final String NOTHING = "neither";
    private static final String LOGIN = "login";
    private static final String INTROSPECTION = "introspection";

    private final KeycloakServer server;
    private final FreshRealm realm;
    private final AdminApi admin;

    RealmUseIT(KeycloakServer server) {
        assumeTrue(server instanceof DistributionServer, "needs a provider of the tests");
        this.server = server;
        realm = new FreshRealm(server);
        admin = realm.admin();
    }

    /** After this look, the answer is kept with the realm. */
    @BeforeEach
    void usesNothingAtFirst() {
        assertEquals(NOTHING, use());
    }

    @Test
    void mapperOfAClient() {
        admin.post(client() + "/protocol-mappers/models", mapper("oidc-data-provider-mapper"));
        assertEquals(INTROSPECTION, use());
    }

    @Test
    void mapperOfAClientScope() {
        String scope = "/client-scopes/" + admin.create("/client-scopes", scope(List.of()));
        assertEquals(NOTHING, use());
        admin.post(scope + "/protocol-mappers/models", mapper("oidc-login-acr-mapper"));
        assertEquals(LOGIN, use());
    }

    @Test
    void mappersAddedTogether() {
        admin.post(
                client() + "/protocol-mappers/add-models",
                List.of(mapper("oidc-given-names-mapper"), mapper("oidc-requested-amr-mapper")));
        assertEquals(LOGIN, use());
    }

    @Test
    void newClientWithMappers() {
        admin.create(
                "/clients", Map.of("clientId", "new", "protocolMappers", List.of(mapper("oidc-data-provider-mapper"))));
        assertEquals(INTROSPECTION, use());
    }

    @Test
    void changedClientWithMappersAndWithoutThem() {
        setMappers(List.of(mapper("oidc-requested-amr-mapper")));
        assertEquals(LOGIN, use());
        setMappers(List.of());
        assertEquals(NOTHING, use());
    }

    @Test
    void newClientScopeWithMappers() {
        admin.create("/client-scopes", scope(List.of(mapper("oidc-data-provider-mapper"))));
        assertEquals(INTROSPECTION, use());
    }

    @Test
    void importedClientWithMappers() {
        admin.post(
                "/partialImport",
                Map.of(
                        "ifResourceExists",
                        "FAIL",
                        "clients",
                        List.of(Map.of(
                                "clientId",
                                "imported",
                                "protocolMappers",
                                List.of(mapper("oidc-requested-amr-mapper"))))));
        assertEquals(LOGIN, use());
    }

    @Test
    void authenticatorInAFlowUnlessItIsDisabled() {
        admin.post(
                "/authentication/flows",
                Map.of("alias", "ours", "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        admin.post("/authentication/flows/ours/executions/execution", Map.of("provider", "auth-pin-form"));
        assertEquals(NOTHING, use());
        ObjectNode execution = (ObjectNode) admin.execution("ours", "auth-pin-form");
        admin.put("/authentication/flows/ours/executions", execution.put("requirement", "REQUIRED"));
        assertEquals(LOGIN, use());
    }

    @Test
    void requiredActionUnlessItIsDisabled() {
        admin.post("/authentication/register-required-action", Map.of("providerId", "configure-pin", "name", "PIN"));
        assertEquals(LOGIN, use());
        admin.update("/authentication/required-actions/configure-pin", action -> action.put("enabled", false));
        assertEquals(NOTHING, use());
    }

    @Test
    void saveThatIsRejectedChangesNothing() {
        Object wrong = NewDataProvider.mapperJson(
                "wrong", "oidc-data-provider-mapper", Map.of("introspection.signed.response.alg", "none"));
        assertEquals(
                400,
                admin.send("POST", client() + "/protocol-mappers/models", wrong).statusCode());
        assertEquals(NOTHING, use());
    }

    @Test
    void otherMappersDoNotCount() {
        admin.post(client() + "/protocol-mappers/models", mapper("oidc-given-names-mapper"));
        assertEquals(NOTHING, use());
    }

    @Test
    void anotherRealmDoesNotCount() {
        new FreshRealm(server).admin().create("/client-scopes", scope(List.of(mapper("oidc-data-provider-mapper"))));
        assertEquals(NOTHING, use());
    }

    private String client() {
        return admin.client(FreshRealm.CLIENT);
    }

    private void setMappers(List<Object> mappers) {
        admin.update(client(), client -> client.set("protocolMappers", Http.JSON.valueToTree(mappers)));
    }

    private static Map<String, Object> scope(List<Object> mappers) {
        return Map.of("name", "scope-" + UUID.randomUUID(), "protocol", "openid-connect", "protocolMappers", mappers);
    }

    private static Object mapper(String provider) {
        return NewDataProvider.mapperJson(provider, provider, Map.of());
    }

    private String use() {
        JsonNode use = Http.json(Http.send(
                Http.request(server.realmUrl(realm.name()) + "/realm-use").GET()));
        boolean login = use.get("login").asBoolean();
        boolean introspection = use.get("introspection").asBoolean();
        return login ? introspection ? "both" : LOGIN : introspection ? INTROSPECTION : NOTHING;
    }
}
