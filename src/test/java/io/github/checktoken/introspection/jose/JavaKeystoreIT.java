package io.github.checktoken.introspection.jose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Keytool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests realm keys that Keycloak's provider {@code java-keystore} reads from a file, which keytool has made. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(KeycloakExtension.class)
class JavaKeystoreIT {

    private final Federation federation;
    private final AdminApi admin;
    private String keystore;

    JavaKeystoreIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    /**
     * Keycloak reads key stores of a realm only from the folder with the realm's name. Version 26.5 finds them only by
     * absolute paths.
     */
    @BeforeAll
    void makeKeyStore(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("realm-keys.p12");
        new Keytool(file).generate("rsa", "CN=federation RSA", "RSA").generate("ec", "CN=federation EC", "secp256r1");
        keystore = federation.server().install(file, "data/" + federation.realm() + "/realm-keys.p12");
    }

    @ParameterizedTest
    @CsvSource({"RS256, rsa", "PS512, rsa", "ES256, ec"})
    void answerIsSignedWithTheKeyOfTheFile(String algorithm, String alias) {
        DataProviderClient client =
                federation.newDataProvider().signedWith(algorithm).create();
        String token = federation.town().signIn("camille", "openid").accessToken();
        String component = admin.create("/components", component(algorithm, alias));
        try {
            String kid = kid(component);

            // This verifies the signature with the key that the realm publishes under this kid.
            Answer answer = client.check(token);

            assertTrue(answer.active());
            assertEquals(kid, answer.signature().getKeyID());
            assertEquals(algorithm, answer.signature().getAlgorithm().getName());
        } finally {
            admin.delete("/components/" + component);
        }
    }

    @Test
    void tokenOfAKeyThatCannotBeLoadedIsNotCalledInactive(@TempDir Path folder) throws IOException {
        DataProviderClient client = federation.newDataProvider().create();
        String component = admin.create("/components", component("ES256", "ec"));
        Path file = Path.of(keystore);
        Path away = folder.resolve("away.p12");
        try {
            String token = federation.town().signIn("camille", "openid").accessToken();
            assertTrue(client.check(token).active());
            Files.move(file, away);
            admin.post("/clear-realm-cache", Map.of());

            assertEquals(500, client.post(token).statusCode());
        } finally {
            if (Files.exists(away)) {
                Files.move(away, file);
            }
            admin.post("/clear-realm-cache", Map.of());
            admin.delete("/components/" + component);
        }
    }

    private String kid(String component) {
        for (var key : admin.get("/keys").get("keys")) {
            if (key.get("providerId").asText().equals(component)) {
                return key.get("kid").asText();
            }
        }
        throw new AssertionError("The realm has no key of the key store");
    }

    private Map<String, Object> component(String algorithm, String alias) {
        return Map.of(
                "name",
                "test-keystore",
                "providerId",
                "java-keystore",
                "providerType",
                "org.keycloak.keys.KeyProvider",
                "config",
                Map.of(
                        "priority", List.of("500"),
                        "algorithm", List.of(algorithm),
                        "keystore", List.of(keystore),
                        "keystoreType", List.of("PKCS12"),
                        "keystorePassword", List.of(Keytool.PASSWORD),
                        "keyAlias", List.of(alias),
                        "keyPassword", List.of(Keytool.PASSWORD)));
    }
}
