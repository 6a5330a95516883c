package io.github.checktoken.introspection.secretguess;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.ClientAssertion;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Tests Keycloak's client secret rotation, which a client policy switches on. */
@ExtendWith(KeycloakExtension.class)
class SecretRotationIT {

    private static final String PROFILES = "/client-policies/profiles";
    private static final String POLICIES = "/client-policies/policies";

    private final Federation federation;
    private final AdminApi admin;
    private DataProviderClient dataProvider;
    private String rotatedSecret;
    private String newSecret;

    SecretRotationIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    @BeforeEach
    void rotate() {
        admin.put(
                PROFILES,
                Map.of(
                        "profiles",
                        List.of(Map.of(
                                "name",
                                "rotation",
                                "executors",
                                List.of(Map.of(
                                        "executor",
                                        "secret-rotation",
                                        "configuration",
                                        Map.of(
                                                "expiration-period", 7200,
                                                "rotated-expiration-period", 3600,
                                                "remaining-rotation-period", 600)))))));
        admin.put(
                POLICIES,
                Map.of(
                        "policies",
                        List.of(Map.of(
                                "name",
                                "rotation",
                                "enabled",
                                true,
                                "conditions",
                                List.of(Map.of("condition", "any-client", "configuration", Map.of())),
                                "profiles",
                                List.of("rotation")))));
        dataProvider = federation.newDataProvider().create();
        rotatedSecret = dataProvider.secret();
        newSecret = Http.json(admin.send("POST", client() + "/client-secret", Map.of()))
                .get("value")
                .asText();
    }

    @AfterEach
    void rotateNoMore() {
        admin.put(POLICIES, Map.of("policies", List.of()));
        admin.put(PROFILES, Map.of("profiles", List.of()));
    }

    @Test
    void theNewAndTheRotatedSecretWork() {
        assertNotEquals(rotatedSecret, newSecret);
        assertEquals(200, status(newSecret));
        assertEquals(200, status(rotatedSecret));
        assertEquals(401, status("unknown"));
    }

    @Test
    void theRotatedSecretEndsAtItsTime() {
        expire("client.secret.rotated.expiration.time");

        assertEquals(401, status(rotatedSecret));
        assertEquals(200, status(newSecret));
    }

    @Test
    void theRotatedSecretEndsWhenTheAdministratorSaysSo() {
        admin.delete(client() + "/client-secret/rotated");

        assertEquals(401, status(rotatedSecret));
        assertEquals(200, status(newSecret));
    }

    /** Nobody who guesses knows it. */
    @Test
    void whatIsSignedWithTheRotatedSecretIsNoGuess() {
        expire("client.secret.rotated.expiration.time");
        for (int i = 0; i <= 30; i++) {
            Map<String, String> form = new HashMap<>(
                    new ClientAssertion(dataProvider.clientId(), federation.url()).signedBy(rotatedSecret));
            form.put("token", "unknown");
            assertEquals(401, Http.send(Http.form(dataProvider.url(), form)).statusCode());
        }
        assertEquals(200, status(newSecret));
    }

    private void expire(String attribute) {
        long past = Instant.now().minusSeconds(60).getEpochSecond();
        admin.update(client(), it -> ((ObjectNode) it.get("attributes")).put(attribute, past));
    }

    private String client() {
        return admin.client(dataProvider.clientId());
    }

    private int status(String secret) {
        return Http.send(Http.form(
                        dataProvider.url(),
                        Map.of("client_id", dataProvider.clientId(), "client_secret", secret, "token", "unknown")))
                .statusCode();
    }
}
