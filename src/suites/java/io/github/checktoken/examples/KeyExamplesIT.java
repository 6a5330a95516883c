package io.github.checktoken.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.util.Map;

import com.nimbusds.jose.jwk.JWKSet;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The data provider guide's ways to make and change keys, with a real server. */
@Tag("examples")
@ExtendWith(KeycloakExtension.class)
class KeyExamplesIT {

    private static final String PRIVATE = "private.jwk.json";
    private static final String PUBLIC = "jwks.json";

    private final Federation federation;

    @TempDir
    private Path folder;

    KeyExamplesIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA-OAEP-256", "ECDH-ES"})
    void programMakesKeysThatWork(String algorithm) throws IOException, ParseException {
        makeKeys(folder, algorithm);

        assertKeysWork(algorithm);
    }

    @Test
    void programOverwritesNoKey() throws IOException {
        makeKeys(folder, "ECDH-ES");
        String key = Files.readString(folder.resolve(PRIVATE));

        ExampleRun again = ExampleRun.of("node keys.mjs ECDH-ES", folder);

        assertNotEquals(0, again.status());
        assertEquals(key, Files.readString(folder.resolve(PRIVATE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA-OAEP-256", "ECDH-ES"})
    void joseMakesKeysThatWork(String algorithm) throws IOException, ParseException {
        Example.BASH_JOSE.folder();
        String commands = GuideBlock.containing("jose jwk gen");
        if (algorithm.equals("ECDH-ES")) {
            commands = commands.replace("{\"kty\":\"RSA\",\"bits\":3072}", "{\"kty\":\"EC\",\"crv\":\"P-256\"}")
                    .replace("alg: \"RSA-OAEP-256\"", "alg: \"ECDH-ES\"");
            assertTrue(commands.contains("P-256") && commands.contains("ECDH-ES"), commands);
        }
        ExampleRun.of("set -e\n" + commands, folder).expectSuccess();

        assertKeysWork(algorithm);
    }

    @Test
    void newKeyIsUsedAfterAChange() throws IOException, ParseException {
        makeKeys(folder, "RSA-OAEP-256");
        String commands = "set -e\n" + GuideBlock.containing("mkdir new") + GuideBlock.containing("jq -s");
        String privateKeys = ExampleRun.of(commands + "echo $PRIVATE_KEYS #", folder)
                .expectSuccess()
                .output()
                .strip();
        JWKSet published = JWKSet.load(folder.resolve(PUBLIC).toFile());
        assertEquals(2, published.size());
        assertReadableByAll();

        DataProviderClient dataProvider = dataProvider("RSA-OAEP-256");

        assertEquals(
                JWKSet.load(folder.resolve("new").resolve(PUBLIC).toFile())
                        .getKeys()
                        .get(0)
                        .getKeyID(),
                published.getKeys().get(0).getKeyID());
        assertEquals("private.jwk.json new/private.jwk.json", privateKeys);
        assertAnswers(
                dataProvider,
                folder.resolve(PRIVATE) + " " + folder.resolve("new").resolve(PRIVATE));
    }

    private static void makeKeys(Path folder, String algorithm) throws IOException {
        Files.copy(Example.FOLDER.resolve("data-provider/keys.mjs"), folder.resolve("keys.mjs"));
        Files.createSymbolicLink(
                folder.resolve("node_modules"), Example.NODE.folder().resolve("node_modules"));
        assertTrue(
                GuideBlock.containing("node keys.mjs RSA-OAEP-256").contains("--install-links CHECKOUT/clients/node"));
        ExampleRun.of("node keys.mjs " + algorithm, folder).expectSuccess();
    }

    private void assertKeysWork(String algorithm) throws IOException, ParseException {
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(PRIVATE))));
        assertReadableByAll();
        assertAnswers(dataProvider(algorithm), folder.resolve(PRIVATE).toString());
    }

    /** A web server usually runs as another user. */
    private void assertReadableByAll() throws IOException, ParseException {
        Path jwks = folder.resolve(PUBLIC);
        assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(jwks)));
        assertTrue(JWKSet.load(jwks.toFile()).getKeys().stream().noneMatch(key -> key.isPrivate()));
    }

    private DataProviderClient dataProvider(String algorithm) throws IOException {
        return federation
                .newDataProvider()
                .signedWith("ES256")
                .encryptedWith(algorithm)
                .jwks(Files.readString(folder.resolve(PUBLIC)))
                .create();
    }

    private void assertAnswers(DataProviderClient dataProvider, String privateKeys) {
        ExampleRun run = Example.NODE.run(
                Map.of(
                        "REALM", federation.url(),
                        "CLIENT_ID", dataProvider.clientId(),
                        "CLIENT_SECRET", dataProvider.secret(),
                        "PRIVATE_KEYS", privateKeys),
                "",
                "any-token");

        assertEquals(
                "{\"active\":false}", Http.json(run.expectSuccess().output()).toString());
    }
}
