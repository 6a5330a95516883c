package io.github.checktoken.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.demo.pages.DemoPeople;
import io.github.checktoken.support.client.Http;

/**
 * The people and clients of the demo realm, and the people of its identity provider, read from the files that Keycloak
 * imports, so that they always agree.
 */
final class DemoRealm {

    record Client(String clientId, String name, String secret, boolean dataProvider, List<String> scopes) {}

    private final JsonNode json;
    private final JsonNode identityProvider;

    private DemoRealm(JsonNode json, JsonNode identityProvider) {
        this.json = json;
        this.identityProvider = identityProvider;
    }

    static DemoRealm read() throws IOException {
        Path folder = Path.of(System.getProperty("realm.export"));
        return new DemoRealm(
                Http.JSON.readTree(folder.resolve("federation-realm.json").toFile()),
                Http.JSON.readTree(
                        folder.resolve("identity-provider-realm.json").toFile()));
    }

    Duration tokenLifespan() {
        return Duration.ofSeconds(json.get("accessTokenLifespan").asLong());
    }

    /** @return those who sign in here, then those who sign in at the identity provider */
    List<DemoPeople> people() {
        return List.of(
                new DemoPeople("", people(json)),
                new DemoPeople(json.at("/identityProviders/0/displayName").asText(), people(identityProvider)));
    }

    private static List<DemoPeople.Person> people(JsonNode realm) {
        return elements(realm.get("users"))
                .filter(user -> !isAdministrator(user))
                .map(user -> new DemoPeople.Person(
                        user.get("username").asText(),
                        user.get("firstName").asText(),
                        user.at("/credentials/0/value").asText(),
                        born(user.get("attributes")),
                        way(user)))
                .toList();
    }

    /** @return the username of the person who may look at the data providers */
    String administrator() {
        return elements(json.get("users"))
                .filter(DemoRealm::isAdministrator)
                .findFirst()
                .orElseThrow()
                .get("username")
                .asText();
    }

    private static boolean isAdministrator(JsonNode user) {
        return user.has("clientRoles");
    }

    List<Client> serviceProviders() {
        return clients()
                .filter(client -> !client.dataProvider() && !client.secret().isEmpty())
                .toList();
    }

    List<Client> dataProviders() {
        return clients().filter(Client::dataProvider).toList();
    }

    /** The scopes that are registered for a data provider. */
    List<String> scopesOf(String dataProvider) {
        return clients()
                .filter(client -> client.clientId().equals(dataProvider))
                .findFirst()
                .orElseThrow()
                .scopes();
    }

    private Stream<Client> clients() {
        return elements(json.get("clients"))
                .map(client -> new Client(
                        client.get("clientId").asText(),
                        name(client),
                        client.path("secret").asText(),
                        elements(client.path("protocolMappers"))
                                .anyMatch(mapper ->
                                        mapper.get("protocolMapper").asText().equals("oidc-data-provider-mapper")),
                        elements(client.path("optionalClientScopes"))
                                .map(JsonNode::asText)
                                .toList()));
    }

    /** The name in English. */
    private String name(JsonNode client) {
        String name = client.path("name").asText();
        return name.startsWith("${")
                ? json.at("/localizationTexts/en/" + name.substring(2, name.length() - 1))
                        .asText()
                : name;
    }

    private static DemoPeople.Way way(JsonNode user) {
        if (!user.get("enabled").asBoolean()) {
            return DemoPeople.Way.NOTHING;
        }
        List<String> actions =
                elements(user.path("requiredActions")).map(JsonNode::asText).toList();
        if (actions.contains("webauthn-register")) {
            return DemoPeople.Way.SECURITY_KEY_AND_PIN;
        }
        if (actions.contains("webauthn-register-passwordless")) {
            return DemoPeople.Way.PASSKEY;
        }
        if (actions.contains("configure-pin")) {
            return DemoPeople.Way.PASSWORD_AND_PIN;
        }
        return elements(user.path("realmRoles")).anyMatch(role -> role.asText().equals("code-by-email"))
                ? DemoPeople.Way.PASSWORD_AND_CODE
                : DemoPeople.Way.PASSWORD;
    }

    private static String born(JsonNode attributes) {
        List<String> born = new ArrayList<>();
        for (String attribute : List.of("birthdate", "birthplace", "birthcountry")) {
            String value = attributes.at("/" + attribute + "/0").asText();
            if (!value.isEmpty()) {
                born.add(value);
            }
        }
        return String.join(", ", born);
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
