package io.github.checktoken.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;

/** The people and clients of the demo realm, read from the file that Keycloak imports, so that both always agree. */
final class DemoRealm {

    record Person(String username, String password, String born, String signsInWith) {}

    record Client(String clientId, String name, String secret, boolean dataProvider, List<String> scopes) {}

    private final JsonNode json;

    private DemoRealm(JsonNode json) {
        this.json = json;
    }

    static DemoRealm read() throws IOException {
        Path folder = Path.of(System.getProperty("realm.export"));
        return new DemoRealm(
                Http.JSON.readTree(folder.resolve("federation-realm.json").toFile()));
    }

    Duration tokenLifespan() {
        return Duration.ofSeconds(json.get("accessTokenLifespan").asLong());
    }

    List<Person> people() {
        return elements(json.get("users"))
                .map(user -> new Person(
                        user.get("username").asText(),
                        user.at("/credentials/0/value").asText(),
                        born(user.get("attributes")),
                        signsInWith(user)))
                .toList();
    }

    List<Client> serviceProviders() {
        return clients().filter(client -> !client.dataProvider()).toList();
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
                        client.path("name").asText(),
                        client.path("secret").asText(),
                        elements(client.path("protocolMappers"))
                                .anyMatch(mapper ->
                                        mapper.get("protocolMapper").asText().equals("oidc-data-provider-mapper")),
                        elements(client.path("optionalClientScopes"))
                                .map(JsonNode::asText)
                                .toList()));
    }

    private static String signsInWith(JsonNode user) {
        if (!user.get("enabled").asBoolean()) {
            return "nothing: disabled";
        }
        List<String> actions =
                elements(user.path("requiredActions")).map(JsonNode::asText).toList();
        if (actions.contains("webauthn-register")) {
            return "security key and PIN, set up at the first sign-in: Try another way";
        }
        if (actions.contains("webauthn-register-passwordless")) {
            return "a passkey, set up at the first sign-in";
        }
        if (actions.contains("configure-pin")) {
            return "password and PIN, chosen at the first sign-in";
        }
        return elements(user.path("realmRoles")).anyMatch(role -> role.asText().equals("code-by-email"))
                ? "password and a code by e-mail, printed here"
                : "password";
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
