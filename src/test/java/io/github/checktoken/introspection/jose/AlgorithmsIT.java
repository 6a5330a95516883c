package io.github.checktoken.introspection.jose;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.node.InteropReport;
import io.github.checktoken.support.node.NodeClient;
import io.github.checktoken.support.node.NodeClientInput;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.NativeCrypto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests every algorithm that a data provider can choose. Two libraries decrypt and verify the answers: nimbus-jose-jwt,
 * and jose on Node.
 */
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(KeycloakExtension.class)
class AlgorithmsIT {

    @RegisterExtension
    static final InteropReport REPORT = new InteropReport("Algorithms");

    /**
     * Has every key management algorithm with every type of key that it supports. Signature and content encryption are
     * separate steps, so their algorithms are only distributed over the rows.
     */
    private static final List<Row> TABLE = """
            RS256  RSA-OAEP-256    RSA     A128GCM
            RS384  RSA-OAEP        RSA     A192GCM
            RS512  RSA-OAEP-384    RSA     A256GCM
            PS256  RSA-OAEP-512    RSA     A128CBC-HS256
            PS384  ECDH-ES         P-256   A192CBC-HS384
            PS512  ECDH-ES         P-384   A256CBC-HS512
            ES256  ECDH-ES         P-521   A128GCM
            ES384  ECDH-ES         X25519  A192GCM
            ES512  ECDH-ES+A128KW  P-256   A256GCM
            EdDSA  ECDH-ES+A128KW  P-384   A128CBC-HS256
            RS256  ECDH-ES+A128KW  P-521   A192CBC-HS384
            RS384  ECDH-ES+A128KW  X25519  A256CBC-HS512
            RS512  ECDH-ES+A192KW  P-256   A128GCM
            PS256  ECDH-ES+A192KW  P-384   A192GCM
            PS384  ECDH-ES+A192KW  P-521   A256GCM
            PS512  ECDH-ES+A192KW  X25519  A128CBC-HS256
            ES256  ECDH-ES+A256KW  P-256   A192CBC-HS384
            ES384  ECDH-ES+A256KW  P-384   A256CBC-HS512
            ES512  ECDH-ES+A256KW  P-521   A128GCM
            EdDSA  ECDH-ES+A256KW  X25519  A192GCM
            """.lines().map(Row::parse).toList();

    /** The signature algorithms that the demo realm has no key for. */
    private static final List<String> MISSING =
            List.of("RS384", "RS512", "PS256", "PS384", "PS512", "ES384", "ES512", "EdDSA");

    private final Map<Row, DataProviderClient> clients = new LinkedHashMap<>();
    private final Map<Row, HttpResponse<String>> answers = new HashMap<>();

    private final Federation federation;
    private final RealmKeys keys;
    private String token;
    private Map<Row, JsonNode> readByNode;

    AlgorithmsIT(Federation federation) {
        this.federation = federation;
        this.keys = new RealmKeys(federation.admin());
    }

    @BeforeAll
    void askAsEach() throws JOSEException {
        MISSING.forEach(keys::add);
        token = federation.town().signIn("camille", "openid").accessToken();
        RSAKey rsa = new RSAKeyGenerator(2048).generate();
        for (Row row : TABLE) {
            DataProviderClient client = federation
                    .newDataProvider()
                    .signedWith(row.sig())
                    .encryptedWith(row.alg(), row.enc())
                    .key(row.key().equals("RSA") ? rsa : key(row.key()))
                    .create();
            clients.put(row, client);
            answers.put(row, client.post(token));
        }
    }

    @AfterAll
    void removeTheKeys() {
        keys.close();
    }

    /** If the JDK made them, every answer would look the same. Only the log of the start tells. */
    @Test
    void keyAgreementsOnNistCurvesAreMadeByKeycloaksBouncyCastleOrInNativeCode() throws IOException {
        assertTrue(Files.readString(federation.server().log())
                .contains("Key agreements on NIST curves: "
                        + (NativeCrypto.Condition.holds(getClass()) ? "Conscrypt" : "BC")));
    }

    /** Every one in this table: the JVM's provider then understood each. */
    @Test
    void logNamesTheOperationsThatAreMadeInNativeCode() throws IOException {
        String operations = "RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, P-256, P-384, P-521,"
                + " X25519, RSA-OAEP-256, RSA-OAEP, RSA-OAEP-384, RSA-OAEP-512";
        assertEquals(
                NativeCrypto.Condition.holds(getClass()) ? List.of(operations) : List.of(),
                Files.readAllLines(federation.server().log()).stream()
                        .map(line ->
                                line.split("Native code \\(Conscrypt [0-9.]+\\) makes these operations of answers: "))
                        .filter(parts -> parts.length == 2)
                        .map(parts -> parts[1])
                        .toList());
    }

    /** Otherwise Keycloak would sign, and nobody would notice. */
    @Test
    void nativeCodeSignsWithEveryKeyOfTheRealm() throws IOException {
        String log = Files.readString(federation.server().log());
        assertEquals(
                NativeCrypto.Condition.holds(getClass()) ? inTable(Row::sig) : Set.of(),
                inTable(Row::sig).stream()
                        .filter(algorithm -> log.contains("Conscrypt signs answers with a key for " + algorithm))
                        .collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "nimbus-jose-jwt | {0}")
    @MethodSource("table")
    void nimbusReadsTheAnswer(Row row) {
        Answer answer = clients.get(row).read(answers.get(row).body());

        assertTrue(answer.active());
        assertEquals(row.sig(), answer.signature().getAlgorithm().getName());
        assertEquals(row.alg(), answer.encryption().getAlgorithm().getName());
        assertEquals(row.enc(), answer.encryption().getEncryptionMethod().getName());
    }

    /** The script accepts only the algorithms of the row. */
    @ParameterizedTest(name = "jose | {0}")
    @MethodSource("table")
    void joseReadsTheAnswer(Row row) {
        JsonNode introspection = readByNode().get(row);

        assertTrue(introspection.path("active").asBoolean(), introspection::toString);
    }

    /** The realm now has a key of every kind, so its metadata name every algorithm. */
    @Test
    @DisplayName("metadata | each algorithm that it names is in this table")
    void tableHasEveryAlgorithmThatTheMetadataNames() {
        JsonNode metadata =
                Http.json(Http.send(Http.request(federation.url() + "/api/v2/.well-known/openid-configuration")));

        assertEquals(named(metadata, "introspection_signing_alg_values_supported"), inTable(Row::sig));
        assertEquals(named(metadata, "introspection_encryption_alg_values_supported"), inTable(Row::alg));
        assertEquals(named(metadata, "introspection_encryption_enc_values_supported"), inTable(Row::enc));
    }

    /** While a realm changes from one key to the next, it has several keys for the same algorithm. */
    @Test
    @DisplayName("nimbus-jose-jwt | the realm's next key signs as soon as it has the highest priority")
    void answerIsSignedWithTheActiveKeyOfTheHighestPriority() {
        DataProviderClient client =
                federation.newDataProvider().signedWith("ES256").create();
        String before = client.check(token).signature().getKeyID();
        try (RealmKeys next = new RealmKeys(federation.admin())) {
            next.add("ES256", 500);

            assertNotEquals(before, client.check(token).signature().getKeyID());
        }
        assertEquals(before, client.check(token).signature().getKeyID());
    }

    private static List<Row> table() {
        return TABLE;
    }

    /** Starts one process for the whole table, because Node takes longer to start than to read an answer. */
    private Map<Row, JsonNode> readByNode() {
        if (readByNode == null) {
            List<Map<String, Object>> jobs = new ArrayList<>();
            clients.forEach((row, client) -> {
                Map<String, Object> job = NodeClientInput.of(federation, client, row.sig(), row.alg(), row.enc());
                job.put("jwe", answers.get(row).body());
                jobs.add(job);
            });
            JsonNode outcomes = NodeClient.run("jose-batch", Map.of("answers", jobs));
            readByNode = new HashMap<>();
            TABLE.forEach(row -> readByNode.put(row, outcomes.get(readByNode.size())));
        }
        return readByNode;
    }

    private static Set<String> named(JsonNode metadata, String member) {
        return StreamSupport.stream(metadata.get(member).spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> inTable(Function<Row, String> column) {
        return TABLE.stream().map(column).collect(Collectors.toCollection(TreeSet::new));
    }

    private static JWK key(String curve) throws JOSEException {
        return curve.equals("X25519")
                ? new OctetKeyPairGenerator(Curve.X25519).generate()
                : new ECKeyGenerator(Curve.parse(curve)).generate();
    }

    /** @param key the type of the data provider's key: RSA, or the curve */
    private record Row(String sig, String alg, String key, String enc) {

        static Row parse(String line) {
            String[] cells = line.split(" +");
            return new Row(cells[0], cells[1], cells[2], cells[3]);
        }

        @Override
        public String toString() {
            return sig + ", " + alg + (key.equals("RSA") ? "" : " on " + key) + ", " + enc;
        }
    }
}
