package io.github.checktoken.stores;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.Database;
import io.github.checktoken.support.server.DirectoryServer;
import io.github.checktoken.support.server.DistributionServer;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/**
 * Whether people of a directory stay the same for data providers in a copy of the realm, on another server and with
 * another name: see <i>User stores</i> in {@code docs/production.md}.
 */
@Tag("stores")
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealmCopyIT {

    private static final String IMPORTED = "lou";
    private static final String NOT_IMPORTED = "noa";

    private final DistributionServer server;
    private final Federation federation;
    private final DirectoryServer directory = new DirectoryServer(List.of(IMPORTED));
    private final DirectoryServer otherDirectory = new DirectoryServer(List.of(NOT_IMPORTED));
    private LdapProvider provider;
    private LdapProvider otherProvider;
    private DistributionServer target;
    private String subjectOfImported;
    private String subjectOfNotImported;

    RealmCopyIT(KeycloakServer server, Federation federation) throws IOException {
        this.server = (DistributionServer) server;
        this.federation = federation;
        federation.letPeopleSignInAgainAtOnce();
    }

    @BeforeAll
    void start() throws IOException {
        provider = DirectoryMode.IMPORT_READ_ONLY.of(directory, federation.admin(), Map.of());
        otherProvider = DirectoryMode.NO_IMPORT_READ_ONLY.of(otherDirectory, federation.admin(), Map.of());
        subjectOfImported = subject(server, federation.realm(), IMPORTED);
        subjectOfNotImported = subject(server, federation.realm(), NOT_IMPORTED);
        target = DistributionServer.nodeWith(
                Path.of(System.getProperty("checktoken.jar")),
                "keycloak-copy",
                new Database(Path.of(System.getProperty("keycloak.home"))).arguments());
    }

    @AfterAll
    void stop() {
        target.close();
        provider.close();
        otherProvider.close();
        directory.close();
        otherDirectory.close();
    }

    @Test
    void everybodyIsTheSamePersonAfterAnExportWithPeople() throws IOException {
        String copy = create(target, (ObjectNode) Http.json(server.export(federation.realm())));
        assertEquals(subjectOfImported, subject(target, copy, IMPORTED));
        assertEquals(subjectOfNotImported, subject(target, copy, NOT_IMPORTED));
        new AdminApi(target, copy).delete("");
    }

    /** What the Admin Console exports has no people. The directory's people are imported anew. */
    @Test
    void importedPeopleAreSomebodyElseAfterAnExportWithoutPeople() {
        String copy = create(target, withSecrets(partialExport()));
        assertNotEquals(subjectOfImported, subject(target, copy, IMPORTED));
        assertEquals(subjectOfNotImported, subject(target, copy, NOT_IMPORTED));
        new AdminApi(target, copy).delete("");
    }

    /** The ids of what a realm has are unique in a database, and not only its own. */
    @Test
    void sameServerTakesNoCopy() {
        ObjectNode realm = withSecrets(partialExport());
        realm.remove("id");
        realm.put("realm", "copy-" + UUID.randomUUID());
        assertEquals(409, new AdminApi(server, "").send("POST", "", realm).statusCode());
    }

    private ObjectNode partialExport() {
        return (ObjectNode) Http.json(federation
                .admin()
                .send("POST", "/partial-export?exportClients=true&exportGroupsAndRoles=true", Map.of()));
    }

    /** The export has asterisks instead. Without its keys, the realm gets new ones. */
    private static ObjectNode withSecrets(ObjectNode realm) {
        for (JsonNode client : realm.get("clients")) {
            if (client.has("secret")) {
                ((ObjectNode) client).put("secret", client.get("clientId").asText() + "-demo-secret");
            }
        }
        for (JsonNode store : realm.at("/components/org.keycloak.storage.UserStorageProvider")) {
            store.withObject("/config").putArray("bindCredential").add(DirectoryServer.ADMIN_PASSWORD);
        }
        ((ObjectNode) realm.get("components")).remove("org.keycloak.keys.KeyProvider");
        return realm;
    }

    /** @return the name of the new realm */
    private static String create(DistributionServer server, ObjectNode realm) {
        String name = "copy-" + UUID.randomUUID();
        realm.put("realm", name);
        new AdminApi(server, "").create("", realm);
        return name;
    }

    private String subject(DistributionServer server, String realm, String person) {
        ServiceProvider town = new ServiceProvider(
                server, realm, "sp-town", "sp-town-demo-secret", "http://localhost:8999/sp-town/callback");
        DataProviderClient tax = new DataProviderClient(
                "" + server.realmUrl(realm),
                "dp-tax",
                "dp-tax-demo-secret",
                federation.tax().privateKey());
        return DirectoryPerson.subject(tax, town.signIn(person, Federation.ALL_SCOPES));
    }
}
