package io.github.checktoken.support.realm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.server.KeycloakServer;

/** A new realm with Keycloak's own flows, and with a service provider. */
public final class FreshRealm {

    public static final String CLIENT = "sp-fresh";
    private static final String SECRET = "fresh-realm-secret-of-32-bytes-or-more";
    private static final String REDIRECT_URI = "http://localhost:8999/sp-fresh/callback";

    private final KeycloakServer server;
    private final String name = "fresh-" + UUID.randomUUID();
    private final AdminApi admin;

    public FreshRealm(KeycloakServer server) {
        this.server = server;
        this.admin = new AdminApi(server, name);
        new AdminApi(server, "").create("", GivenKey.REALM.addTo(Map.of("realm", name, "enabled", true)));
        admin.create("/clients", Map.of("clientId", CLIENT, "secret", SECRET, "redirectUris", List.of(REDIRECT_URI)));
    }

    public String name() {
        return name;
    }

    public AdminApi admin() {
        return admin;
    }

    public String url() {
        return server.realmUrl(name).toString();
    }

    public Browser browser() {
        return new Browser(server);
    }

    public ServiceProvider serviceProvider() {
        return new ServiceProvider(server, name, CLIENT, SECRET, REDIRECT_URI);
    }

    /** @return the address of a request that asks for no level of authentication */
    public String request() {
        return serviceProvider().request().without("acr_values").url();
    }

    /** Signs a person in who is asked only for the password. */
    public Tokens signInWithPassword(String username) {
        Browser browser = browser();
        return serviceProvider().redeem(browser.givePassword(browser.get(request()), username));
    }

    /**
     * Requests a token by direct grant, for a client that every realm has, with the right password.
     *
     * @return the status
     */
    public int directGrant(String username, Map<String, String> more) {
        Map<String, String> form = new HashMap<>(Map.of(
                "grant_type", "password", "client_id", "admin-cli", "username", username, "password", "demo-password"));
        form.putAll(more);
        return Http.send(Http.form(server.realmUrl(name) + "/protocol/openid-connect/token", form))
                .statusCode();
    }

    /** @param credentials what the person has besides the password */
    @SafeVarargs
    public final String newPerson(Map<String, String>... credentials) {
        return new DemoPerson(
                        admin,
                        Stream.concat(Stream.of(DemoPerson.PASSWORD), Stream.of(credentials))
                                .toList(),
                        List.of())
                .name();
    }
}
