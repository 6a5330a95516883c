package io.github.checktoken.it;

import java.util.List;
import java.util.Map;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.Answer;
import io.github.checktoken.support.DataProviderClient;
import io.github.checktoken.support.Federation;
import io.github.checktoken.support.KeycloakExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every algorithm that a data provider can choose, from the setting to what nimbus decrypts and verifies. */
@ExtendWith(KeycloakExtension.class)
class AlgorithmsIT {

    private static RSAKey rsa;
    private static String token;

    private final Federation federation;

    AlgorithmsIT(Federation federation) {
        this.federation = federation;
    }

    @BeforeAll
    static void signIn(Federation federation) throws JOSEException {
        rsa = new RSAKeyGenerator(2048).generate();
        token = federation.town().signIn("camille", "openid").accessToken();
    }

    @ParameterizedTest
    @CsvSource({
        "RSA-OAEP-256,   A128GCM,       RSA",
        "RSA-OAEP,       A192GCM,       RSA",
        "RSA-OAEP-384,   A256GCM,       RSA",
        "RSA-OAEP-512,   A128CBC-HS256, RSA",
        "ECDH-ES,        A192CBC-HS384, P-256",
        "ECDH-ES,        A256CBC-HS512, P-384",
        "ECDH-ES,        A128GCM,       P-521",
        "ECDH-ES,        A256GCM,       X25519",
        "ECDH-ES+A128KW, A256GCM,       P-256",
        "ECDH-ES+A192KW, A128CBC-HS256, P-384",
        "ECDH-ES+A256KW, A192GCM,       P-521",
        "ECDH-ES+A128KW, A256CBC-HS512, X25519",
        "ECDH-ES+A192KW, A128GCM,       X25519",
        "ECDH-ES+A256KW, A192CBC-HS384, X25519"
    })
    void answerIsEncryptedAsSet(String algorithm, String contentAlgorithm, String type) throws JOSEException {
        DataProviderClient client = federation
                .newDataProvider()
                .encryptedWith(algorithm, contentAlgorithm)
                .key(key(type))
                .create();

        Answer answer = client.check(token);

        assertTrue(answer.active());
        assertEquals(algorithm, answer.encryption().getAlgorithm().getName());
        assertEquals(contentAlgorithm, answer.encryption().getEncryptionMethod().getName());
    }

    @ParameterizedTest
    @CsvSource({
        "RS256, rsa-generated,   algorithm,               RS256",
        "RS384, rsa-generated,   algorithm,               RS384",
        "RS512, rsa-generated,   algorithm,               RS512",
        "PS256, rsa-generated,   algorithm,               PS256",
        "PS384, rsa-generated,   algorithm,               PS384",
        "PS512, rsa-generated,   algorithm,               PS512",
        "ES256, ecdsa-generated, ecdsaEllipticCurveKey,   P-256",
        "ES384, ecdsa-generated, ecdsaEllipticCurveKey,   P-384",
        "ES512, ecdsa-generated, ecdsaEllipticCurveKey,   P-521",
        "EdDSA, eddsa-generated, eddsaEllipticCurveKey,   Ed25519"
    })
    void answerIsSignedAsSet(String algorithm, String providerId, String setting, String value) {
        DataProviderClient client =
                federation.newDataProvider().signedWith(algorithm).create();
        String component = federation
                .admin()
                .create(
                        "/components",
                        Map.of(
                                "name",
                                "test-" + algorithm,
                                "providerId",
                                providerId,
                                "providerType",
                                "org.keycloak.keys.KeyProvider",
                                "config",
                                Map.of("priority", List.of("1"), setting, List.of(value))));
        try {
            Answer answer = client.check(token);

            assertTrue(answer.active());
            assertEquals(algorithm, answer.signature().getAlgorithm().getName());
        } finally {
            federation.admin().delete("/components/" + component);
        }
    }

    /** A realm has several keys for one algorithm while it moves from one to the next. */
    @Test
    void answerIsSignedWithTheActiveKeyOfTheHighestPriority() {
        DataProviderClient client =
                federation.newDataProvider().signedWith("ES256").create();
        String before = client.check(token).signature().getKeyID();
        String component = federation
                .admin()
                .create(
                        "/components",
                        Map.of(
                                "name", "test-next",
                                "providerId", "ecdsa-generated",
                                "providerType", "org.keycloak.keys.KeyProvider",
                                "config",
                                        Map.of(
                                                "priority", List.of("500"),
                                                "ecdsaEllipticCurveKey", List.of("P-256"))));
        try {
            assertNotEquals(before, client.check(token).signature().getKeyID());
        } finally {
            federation.admin().delete("/components/" + component);
        }
        assertEquals(before, client.check(token).signature().getKeyID());
    }

    private static JWK key(String type) throws JOSEException {
        return switch (type) {
            case "RSA" -> rsa;
            case "X25519" -> new OctetKeyPairGenerator(Curve.X25519).generate();
            default -> new ECKeyGenerator(Curve.parse(type)).generate();
        };
    }
}
