package io.github.checktoken.support.realm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

/** An additional person in the demo realm, for one test. */
public final class DemoPerson implements AutoCloseable {

    public static final Map<String, String> PASSWORD = Map.of("type", "password", "value", "demo-password");

    /** A PIN that nobody knows. */
    public static final Map<String, String> UNKNOWN_PIN = Map.of(
            "type", "pin",
            "secretData", "{\"value\":\"AAAA\",\"salt\":\"AAAA\"}",
            "credentialData", "{\"hashIterations\":1,\"algorithm\":\"pbkdf2-sha512\"}");

    private final AdminApi admin;
    private final String name = "person-" + UUID.randomUUID();
    private final String path;

    /**
     * @param credentials as Keycloak's user representation has them
     * @param requiredActions what the person has to do at the first login
     */
    public DemoPerson(AdminApi admin, List<Map<String, String>> credentials, List<String> requiredActions) {
        this.admin = admin;
        Map<String, Object> user = new HashMap<>();
        user.put("username", name);
        user.put("enabled", true);
        user.put("firstName", "Claude");
        user.put("lastName", "Martin");
        user.put("email", name + "@example.org");
        user.put("emailVerified", true);
        user.put("credentials", credentials);
        user.put("requiredActions", requiredActions);
        user.put("attributes", Map.of("gender", List.of("female"), "birthdate", List.of("1990-01-01")));
        this.path = "/users/" + admin.create("/users", user);
    }

    public String name() {
        return name;
    }

    /** @param type Keycloak's name for the type, for example {@code pin} */
    public void removeCredential(String type) {
        for (JsonNode credential : admin.get(path + "/credentials")) {
            if (credential.get("type").asText().equals(type)) {
                admin.delete(path + "/credentials/" + credential.get("id").asText());
            }
        }
    }

    @Override
    public void close() {
        admin.delete(path);
    }
}
