package io.github.checktoken.support.realm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.server.KeycloakServer;

/** A demo realm with the realm of its identity provider: the clients, their secrets and their keys. */
public final class Federation {

    public static final String REALM = "federation";
    private static final String UPSTREAM = "identity-provider";
    public static final String ALL_SCOPES =
            "openid given_name family_name birthdate tax_household health_rights tax_income";

    private final KeycloakServer server;
    private final String suffix;

    /** The realms that the server has imported. */
    public Federation(KeycloakServer server) {
        this(server, "");
    }

    private Federation(KeycloakServer server, String suffix) {
        this.server = server;
        this.suffix = suffix;
    }

    /** Further realms from the same files, whose names end with a number. */
    public static Federation copy(KeycloakServer server, int number) {
        String suffix = "-" + number;
        AdminApi realms = new AdminApi(server, "");
        realms.create("", GivenKey.IDENTITY_PROVIDER.addTo(json(server, UPSTREAM, suffix)));
        realms.create("", GivenKey.REALM.addTo(json(server, REALM, suffix)));
        return new Federation(server, suffix);
    }

    private static JsonNode json(KeycloakServer server, String realm, String suffix) {
        Path file = Path.of(System.getProperty("realm.export"), realm + "-realm.json");
        try {
            return Http.JSON.readTree(Files.readString(file)
                    .replace("${" + KeycloakServer.BASE_URL_VARIABLE + ":http://localhost:8080}", "" + server.baseUrl())
                    .replace("\"realm\": \"" + realm + "\"", "\"realm\": \"" + realm + suffix + "\"")
                    .replace("default-roles-" + realm, "default-roles-" + realm + suffix)
                    .replaceAll("/(realms|admin)/(" + REALM + "|" + UPSTREAM + ")", "/$1/$2" + suffix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Switches brute-force protection off in both realms: it refuses a person who signs in again before it has recorded
     * the last login (Keycloak's DefaultBlockingBruteForceProtector), and tests do that. Tests of it switch it on.
     */
    public void letPeopleSignInAgainAtOnce() {
        updateRealms(realm -> realm.put("bruteForceProtected", false));
    }

    /** Switches the service providers' lightweight access tokens off. */
    void giveOrdinaryTokens() {
        AdminApi admin = admin();
        for (String client : List.of("sp-town", "sp-bank")) {
            admin.update(
                    admin.client(client),
                    json -> json.withObject("/attributes").put("client.use.lightweight.access.token.enabled", "false"));
        }
    }

    /** @return the settings of both realms, by realm and name */
    Map<String, JsonNode> settings() {
        Map<String, JsonNode> settings = new HashMap<>();
        for (String realm : List.of(realm(), upstream())) {
            new AdminApi(server, realm)
                    .get("")
                    .fields()
                    .forEachRemaining(setting -> settings.put(realm + " " + setting.getKey(), setting.getValue()));
        }
        return settings;
    }

    /** Changes the settings of both realms. */
    void updateRealms(Consumer<ObjectNode> change) {
        for (String realm : List.of(realm(), upstream())) {
            new AdminApi(server, realm).update("", change);
        }
    }

    public KeycloakServer server() {
        return server;
    }

    /** The name of the demo realm. */
    public String realm() {
        return REALM + suffix;
    }

    /** The name of the identity provider's realm. */
    public String upstream() {
        return UPSTREAM + suffix;
    }

    public String url() {
        return server.realmUrl(realm()).toString();
    }

    /** @return the address with TLS, which has another issuer */
    public String secureUrl() {
        return server.secureUrl() + "/realms/" + realm();
    }

    public AdminApi admin() {
        return new AdminApi(server, realm());
    }

    public ServiceProvider town() {
        return serviceProvider("sp-town");
    }

    public ServiceProvider bank() {
        return serviceProvider("sp-bank");
    }

    public DataProviderClient tax() {
        return dataProvider("dp-tax");
    }

    public DataProviderClient health() {
        return dataProvider("dp-health");
    }

    /** @return another data provider, for one test */
    public NewDataProvider newDataProvider() {
        return new NewDataProvider(admin(), url(), demoKey("dp-tax"));
    }

    /** @return another identity provider, for one test */
    public NewIdentityProvider newIdentityProvider() {
        return new NewIdentityProvider(this);
    }

    private ServiceProvider serviceProvider(String clientId) {
        return new ServiceProvider(
                server,
                realm(),
                clientId,
                clientId + "-demo-secret",
                "http://localhost:8999/" + clientId + "/callback");
    }

    private DataProviderClient dataProvider(String clientId) {
        return new DataProviderClient(url(), clientId, clientId + "-demo-secret", demoKey(clientId));
    }

    private static JWK demoKey(String clientId) {
        String file = "/demo-keys/" + clientId + "-demo-private-key.jwk.json";
        try (InputStream key = Federation.class.getResourceAsStream(file)) {
            return JWK.parse(new String(key.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalStateException(file, e);
        }
    }
}
