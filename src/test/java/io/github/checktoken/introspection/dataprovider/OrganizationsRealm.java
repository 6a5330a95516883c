package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.DemoPerson;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakServer;

/** A realm for one test class, whose people can belong to organizations. */
public final class OrganizationsRealm {

    private static final String SECRET = "organizations-demo-secret";

    private final KeycloakServer server;
    private final String name = "organizations-" + UUID.randomUUID();
    private final AdminApi admin;
    private final JWK privateKey;

    public OrganizationsRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        try {
            privateKey = new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        new AdminApi(server, "")
                .post("", GivenKey.REALM.addTo(Map.of("realm", name, "enabled", true, "organizationsEnabled", true)));
    }

    public AdminApi admin() {
        return admin;
    }

    /** @return the alias of the organization */
    public String newOrganization(String... members) {
        String alias = "org-" + UUID.randomUUID();
        String id = admin.create(
                "/organizations",
                Map.of("name", alias, "alias", alias, "domains", List.of(Map.of("name", alias + ".example.org"))));
        for (String username : members) {
            admin.post("/organizations/" + id + "/members", admin.user(username).substring("/users/".length()));
        }
        return alias;
    }

    /** @param alias of the organization */
    void leave(String alias, String username) {
        String id = admin.get("/organizations?exact=true&search=" + alias)
                .get(0)
                .path("id")
                .asText();
        admin.delete("/organizations/" + id + "/members/" + admin.user(username).substring("/users/".length()));
    }

    /** @param alias of the organization */
    void disable(String alias) {
        String id = admin.get("/organizations?exact=true&search=" + alias)
                .get(0)
                .path("id")
                .asText();
        admin.update("/organizations/" + id, organization -> organization.put("enabled", false));
    }

    /** @return the username */
    public String newPerson() {
        String username = "person-" + UUID.randomUUID();
        Map<String, Object> user = new HashMap<>();
        user.put("username", username);
        user.put("email", username + "@example.org");
        user.put("firstName", "Camille");
        user.put("lastName", "Moreau");
        user.put("enabled", true);
        user.put("credentials", List.of(DemoPerson.PASSWORD));
        admin.create("/users", user);
        return username;
    }

    /** @return a service provider with a client scope {@code organization} that its people can ask for */
    public ServiceProvider newServiceProvider(boolean lightweight) {
        String clientId = "sp-" + UUID.randomUUID();
        admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        clientId,
                        "secret",
                        SECRET,
                        "directAccessGrantsEnabled",
                        true,
                        "attributes",
                        Map.of("client.use.lightweight.access.token.enabled", String.valueOf(lightweight)),
                        "defaultClientScopes",
                        List.of("basic", "acr"),
                        "optionalClientScopes",
                        List.of("organization")));
        return new ServiceProvider(server, name, clientId, SECRET, "");
    }

    /** @return a data provider for one test */
    public NewDataProvider newDataProvider() {
        return new NewDataProvider(admin, server.realmUrl(name).toString(), privateKey).telling("organization");
    }
}
