package io.github.checktoken.introspection.keys;

import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.JwksServer;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.introspection.keys.UnusableKey.assertNoKey;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests which key of a set an answer is encrypted to. The key is looked up before the token is checked, so the token can
 * be any text.
 */
@ExtendWith(KeycloakExtension.class)
class EncryptionKeysIT {

    private static final String ANY_TOKEN = "any-token";

    private static final ECKey KEY = ec("key");
    private static final ECKey OTHER = ec("other");
    private static final RSAKey RSA = rsa(2048);

    private final Federation federation;

    EncryptionKeysIT(Federation federation) {
        this.federation = federation;
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01", "clé n° 1", "\"},\r\n\u2028../{}\\", " "})
    void kidIsExactlyTheKeys(String kid) {
        ECKey key = new ECKey.Builder(KEY).keyID(kid).build();

        DataProviderClient client = ecdh().key(key).create();

        assertEquals(kid, client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void keyWithoutKidUseAndAlgorithmServesAndTheAnswerHasNoKid() {
        ECKey bare = new ECKey.Builder(KEY).keyID(null).build();

        DataProviderClient client = ecdh().key(bare).create();

        assertNull(client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void signatureKeyIsNotUsedThoughItIsTheOnlyOne() {
        RSAKey signing = new RSAKey.Builder(RSA).keyUse(KeyUse.SIGNATURE).build();

        assertNoKey(federation.newDataProvider().key(signing).create(), "RSA-OAEP-256");
    }

    @Test
    void keyWhoseOperationsAreSignaturesIsNotUsedThoughItIsTheOnlyOne() {
        String jwks = JwksServer.json(RSA).replace("\"kty\"", "\"key_ops\":[\"verify\"],\"kty\"");

        assertNoKey(federation.newDataProvider().jwks(jwks).create(), "RSA-OAEP-256");
    }

    @Test
    void keyThatNamesTheAlgorithmWins() {
        JWK named = new ECKey.Builder(KEY)
                .keyID("named")
                .algorithm(JWEAlgorithm.ECDH_ES)
                .build();
        JWK wrapping = named(OTHER, "wrapping", JWEAlgorithm.ECDH_ES_A128KW);

        DataProviderClient client = ecdh().decryptingWith(named)
                .jwks(JwksServer.json(RSA, OTHER, wrapping, named))
                .create();

        assertEquals("named", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @Test
    void rsaKeyUnder2048BitsIsNotUsed() {
        assertNoKey(federation.newDataProvider().key(rsa(1024)).create(), "RSA-OAEP-256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "{\"kty\":\"RSA\",\"n\":\"%%%\",\"e\":\"AQAB\"}",
                "{\"kty\":\"RSA\",\"x5c\":\"text\"}",
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}"
            })
    void brokenKeyInTheSetSpoilsNoOther(String broken) {
        String jwks = JwksServer.json(KEY).replace("[", "[" + broken + ",");

        DataProviderClient client = ecdh().decryptingWith(KEY).jwks(jwks).create();

        assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "null", "{\"keys\":[]}"})
    void inlineSetWithoutAKeyIsA503(String jwks) {
        assertNoKey(ecdh().jwks(jwks).create(), "ECDH-ES");
    }

    @Test
    void missingKeyIsAnEventThatNamesTheReason() {
        DataProviderClient client = ecdh().key(RSA).create();

        assertEquals("no key in the set fits (1: kty)", assertNoKey(client, "ECDH-ES"));

        JsonNode events =
                federation.admin().get("/events?type=INTROSPECT_TOKEN_ERROR&client=" + Http.encode(client.clientId()));
        assertEquals(1, events.size());
        assertEquals("token_introspection_failed", events.get(0).path("error").asText());
        assertEquals(
                "no usable encryption key for ECDH-ES",
                events.get(0).path("details").path("reason").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/jwks.json", "ftp://dp.example.org/jwks.json", "http://user:word@127.0.0.1/jwks.json"})
    void addressThatIsNeverAskedCannotBeSaved(String url) {
        assertNotSaved(attributes -> attributes.put("use.jwks.url", "true").put("jwks.url", url), "the JWKS URL ");
    }

    @Test
    void setThatIsTooLargeCannotBeSaved() {
        String keys = String.join(",", Collections.nCopies(51, "{}"));
        assertNotSaved(inline("{\"keys\":[" + keys + "]}"), "more than 50 keys");
        assertNotSaved(inline("{\"keys\":[]}" + " ".repeat(64 * 1024)), "more than 65536 bytes");
    }

    /** An administrator must be able to do this in an emergency. */
    @Test
    void dataProviderWithSuchASetCanBeDisabled() {
        DataProviderClient client = ecdh().key(KEY).create();
        federation.admin().update(federation.admin().client(client.clientId()), representation -> {
            representation.put("enabled", false);
            inline("{\"keys\":[]}" + " ".repeat(64 * 1024)).accept(representation.withObject("/attributes"));
        });
    }

    @Test
    void rsaKeyThatHidesNothingIsNotEncryptedTo() {
        String jwks = JwksServer.json(RSA).replace("\"e\":\"AQAB\"", "\"e\":\"AQ\"");
        assertTrue(jwks.contains("\"AQ\""));
        assertNoKey(federation.newDataProvider().jwks(jwks).create(), "RSA-OAEP-256");
    }

    private void assertNotSaved(Consumer<ObjectNode> keys, String reason) {
        DataProviderClient client = ecdh().key(KEY).create();
        String path = federation.admin().client(client.clientId());
        ObjectNode representation = (ObjectNode) federation.admin().get(path);
        keys.accept(representation.putObject("attributes"));

        HttpResponse<String> response = federation.admin().send("PUT", path, representation);

        assertEquals(400, response.statusCode(), response.body());
        assertTrue(response.body().contains(reason), response.body());
        assertEquals("key", client.check(ANY_TOKEN).encryption().getKeyID());
    }

    private static Consumer<ObjectNode> inline(String jwks) {
        return attributes -> attributes
                .put("use.jwks.url", "false")
                .put("use.jwks.string", "true")
                .put("jwks.string", jwks);
    }

    private NewDataProvider ecdh() {
        return federation.newDataProvider().encryptedWith("ECDH-ES");
    }

    private static JWK named(ECKey key, String kid, Algorithm algorithm) {
        return new ECKey.Builder(key).keyID(kid).algorithm(algorithm).build();
    }

    private static ECKey ec(String kid) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsa(int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID("rsa").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
