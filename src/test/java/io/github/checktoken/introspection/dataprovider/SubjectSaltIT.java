package io.github.checktoken.introspection.dataprovider;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Which salt a Data provider mapper without one gets. A random one is only for a mapper that has not told any subject;
 * another mapper keeps its id, because everybody would get another subject.
 */
@ExtendWith(KeycloakExtension.class)
class SubjectSaltIT {

    private static final String MAPPER = "oidc-data-provider-mapper";
    private static final String SALT = "pairwiseSubAlgorithmSalt";

    private final KeycloakServer server;
    private final Federation federation;
    private final AdminApi admin;
    private String token;

    SubjectSaltIT(KeycloakServer server, Federation federation) {
        this.server = server;
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeEach
    void signIn() {
        token = federation.town().signIn("camille", "openid").accessToken();
    }

    @Test
    void mapperThatIsAddedToAClientGetsARandomSalt() {
        String models = admin.client(
                        federation.newDataProvider().withoutOwnMapper().create().clientId())
                + "/protocol-mappers/models";

        String id = admin.create(models, mapper());

        String salt = admin.get(models + "/" + id).at("/config/" + SALT).asText();
        assertTrue(salt.matches("[A-Za-z0-9]{32}"), salt);
    }

    /** Its subjects are those that it has without a salt, and stay when it is exported and imported again. */
    @Test
    void clientThatIsMadeFromJsonGetsTheMappersIdAsTheSalt() {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        ObjectNode exported = client(admin, dataProvider.clientId());
        assertSaltIsId(mapperOf(exported));
        Object subject = subject(dataProvider);
        blank(dataProvider);
        assertEquals(subject, subject(dataProvider));

        admin.delete(admin.client(dataProvider.clientId()));
        exported.remove("id");
        mapperOf(exported).remove("id");
        admin.create("/clients", exported);

        assertEquals(subject, subject(dataProvider));
    }

    @Test
    void clientOfAPartialImportGetsTheMappersIdAsTheSalt() {
        String clientId = "dp-" + UUID.randomUUID();

        admin.post("/partialImport", Map.of("clients", List.of(json(clientId))));

        assertSaltIsId(mapperOf(client(admin, clientId)));
    }

    @Test
    void clientOfANewRealmGetsTheMappersIdAsTheSalt() {
        String realm = "salt-" + UUID.randomUUID();
        new AdminApi(server, "")
                .create("", GivenKey.REALM.addTo(Map.of("realm", realm, "clients", List.of(json("dp-new")))));

        assertSaltIsId(mapperOf(client(new AdminApi(server, realm), "dp-new")));
    }

    /** Perhaps it was lost, and the administrator has a copy. A warning says so until there is one. */
    @Test
    void clientThatIsChangedWithoutASaltGetsNone() {
        DataProviderClient dataProvider = federation.newDataProvider().create();

        blank(dataProvider);
        admin.update(admin.client(dataProvider.clientId()), json -> json.put("name", "Another name"));

        assertFalse(
                mapperOf(client(admin, dataProvider.clientId())).get("config").has(SALT));
        String problems =
                admin.dataProvider(dataProvider.clientId()).path("problemNames").toString();
        assertTrue(problems.contains("\"noSalt\""), problems);
    }

    @Test
    void mapperThatIsSavedWithoutASaltGetsNone() {
        String models = admin.client(federation.newDataProvider().create().clientId()) + "/protocol-mappers/models";
        ObjectNode mapper = (ObjectNode) admin.get(models).get(0);
        mapper.withObject("/config").put(SALT, "");

        String path = models + "/" + mapper.get("id").asText();
        admin.put(path, mapper);

        assertEquals("", admin.get(path).at("/config/" + SALT).asText());
    }

    private void blank(DataProviderClient dataProvider) {
        admin.update(
                admin.client(dataProvider.clientId()),
                json -> mapperOf(json).withObject("/config").remove(SALT));
    }

    private Object subject(DataProviderClient dataProvider) {
        return dataProvider.check(token).introspection().get("sub");
    }

    private static void assertSaltIsId(JsonNode mapper) {
        assertEquals(mapper.get("id").asText(), mapper.at("/config/" + SALT).asText());
    }

    private static ObjectNode client(AdminApi admin, String clientId) {
        return (ObjectNode) admin.get(admin.client(clientId));
    }

    private static ObjectNode mapperOf(JsonNode client) {
        for (JsonNode mapper : client.get("protocolMappers")) {
            if (mapper.path("protocolMapper").asText().equals(MAPPER)) {
                return (ObjectNode) mapper;
            }
        }
        throw new AssertionError(client);
    }

    private static Map<String, Object> json(String clientId) {
        return Map.of("clientId", clientId, "protocolMappers", List.of(mapper()));
    }

    private static Map<String, Object> mapper() {
        return NewDataProvider.mapperJson("Data provider", MAPPER, Map.of());
    }
}
