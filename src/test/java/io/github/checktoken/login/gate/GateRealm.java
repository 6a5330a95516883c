package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;
import io.github.checktoken.walk.browser.ScriptedBrowser;
import io.github.checktoken.walk.oracle.Person;
import io.github.checktoken.walk.realm.Accounts;
import io.github.checktoken.walk.realm.WalkRealm;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A realm of the walks in which some clients have other flows. No step follows a login at the provider, which tells no
 * address.
 */
final class GateRealm {

    /** The client with Keycloak's own browser flow. */
    static final String BUILT_IN = "mail-or-other";

    /** The client that asks for the password and the PIN, each of which is a level, and for a code by e-mail. */
    static final String LEVELS = "step-up";

    private final WalkRealm realm;
    private final Accounts accounts;
    private final AdminApi provider;

    GateRealm(KeycloakServer server, MailServer mailServer) {
        realm = new WalkRealm(server, mailServer.settings());
        accounts = new Accounts(realm);
        admin().update("/identity-provider/instances/" + WalkRealm.UP, settings -> {
            settings.remove("postBrokerLoginFlowAlias");
            ((ObjectNode) settings.get("config")).put("defaultScope", "openid profile");
        });
        provider = new AdminApi(server, realm.providerUrl(WalkRealm.UP).replaceAll(".*/", ""));
        provider.delete(provider.client("walked-realm") + "/default-client-scopes/" + provider.clientScope("email"));
        admin().update("/users/profile", GateRealm::makeAddressOptional);
        bind(BUILT_IN, "browser");
        bind(LEVELS, "levels-and-code");
        // Keycloak generates the realm's keys for the first login. Logins at once would generate several.
        browser().request(BUILT_IN, Map.of());
    }

    private static void makeAddressOptional(ObjectNode profile) {
        for (JsonNode attribute : profile.get("attributes")) {
            if (attribute.get("name").asText().equals("email")) {
                ((ObjectNode) attribute).remove("required");
            }
        }
    }

    void bind(String client, String flow) {
        String id = admin().flow(flow);
        admin().update(
                        admin().client(client),
                        json -> json.putObject("authenticationFlowBindingOverrides")
                                .put("browser", id));
    }

    /** Runs the steps while first logins at {@link WalkRealm#UP} have this flow. */
    void withFirstLogin(String flow, Runnable steps) {
        String provider = "/identity-provider/instances/" + WalkRealm.UP;
        String before = admin().get(provider).get("firstBrokerLoginFlowAlias").asText();
        admin().update(provider, settings -> settings.put("firstBrokerLoginFlowAlias", flow));
        try {
            steps.run();
        } finally {
            admin().update(provider, settings -> settings.put("firstBrokerLoginFlowAlias", before));
        }
    }

    /** The realm that is the identity provider {@link WalkRealm#UP}. */
    AdminApi provider() {
        return provider;
    }

    AdminApi admin() {
        return realm.admin();
    }

    String url() {
        return realm.url();
    }

    ServiceProvider client(String clientId) {
        return realm.client(clientId);
    }

    Accounts accounts() {
        return accounts;
    }

    ScriptedBrowser browser() {
        return new ScriptedBrowser(realm);
    }

    static Map<String, String> nameAndPassword(Person person) {
        return Map.of("username", person.name(), "password", person.password());
    }

    /** Tells a client in its ID tokens what the user session notes under this name, in a claim of the same name. */
    void tellSessionNote(String client, String note) {
        admin().post(
                        admin().client(client) + "/protocol-mappers/models",
                        Map.of(
                                "name",
                                note,
                                "protocol",
                                "openid-connect",
                                "protocolMapper",
                                "oidc-usersessionmodel-note-mapper",
                                "config",
                                Map.of("user.session.note", note, "claim.name", note, "id.token.claim", "true")));
    }

    /** Checks that no browser has a session of this person. */
    void assertNotSignedIn(Person person) {
        assertEquals(0, admin().get(admin().user(person.name()) + "/sessions").size(), "sessions");
    }

    /** Checks how many identities of providers are linked to this person. */
    void assertLinked(int identities, Person person) {
        assertEquals(
                identities,
                admin().get(admin().user(person.name()) + "/federated-identity").size(),
                "linked identities");
    }

    /** Checks that this person still signs in with the same password. */
    void assertPasswordKept(Person person) {
        ScriptedBrowser browser = browser();
        browser.request(BUILT_IN, Map.of());
        browser.submit(nameAndPassword(person));
        assertTold(browser, person.name(), Set.of("pwd"));
    }

    /** Checks that the login ended for this person, and that amr has these methods. */
    static void assertTold(ScriptedBrowser browser, String name, Set<String> methods) {
        JsonNode claims = browser.redeem();
        Set<String> told = new TreeSet<>();
        claims.path("amr").forEach(value -> told.add(value.asText()));
        assertEquals(name, claims.path("preferred_username").asText());
        assertEquals(new TreeSet<>(methods), told);
    }
}
