package io.github.checktoken.client;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.github.checktoken.testkit.TestCase;
import io.github.checktoken.testkit.TestClient;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static io.github.checktoken.client.TestCheckToken.KIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The answers that the test kit has as files say what their cases say. */
class VectorsTest {

    @TestFactory
    Stream<DynamicTest> eachFile() {
        return KIT.cases().stream()
                .filter(testCase -> !"timeout".equals(testCase.reason()))
                .map(testCase -> DynamicTest.dynamicTest(testCase.name(), () -> tryVector(testCase)));
    }

    private static void tryVector(TestCase testCase) throws Exception {
        Map<String, Object> vector = read("case." + testCase + ".json");
        if (testCase.expect() != null) {
            Answer answer = answer(testCase, vector);
            assertEquals(testCase.expect().get("kind"), answer.toString().toLowerCase(Locale.ROOT));
        } else {
            CheckTokenException refusal = assertThrows(CheckTokenException.class, () -> answer(testCase, vector));
            assertTrue(testCase.isReason(refusal.reason().id()), refusal.getMessage());
        }
    }

    private static Answer answer(TestCase testCase, Map<String, Object> vector) throws Exception {
        TestClient client = KIT.clients().stream()
                .filter(one -> one.clientId().equals(vector.get("client_id")))
                .findFirst()
                .orElseThrow();
        CheckToken.Builder builder = TestCheckToken.builder((String) vector.get("issuer"), client);
        builder.clock = Clock.fixed(Instant.parse((String) vector.get("time")), ZoneOffset.UTC);
        Map<String, Object> response = JSONObjectUtils.getJSONObject(vector, "response");
        Map<String, Object> headers = JSONObjectUtils.getJSONObject(response, "headers");
        String body = response.get("body") instanceof Map<?, ?> repeated
                ? ((String) repeated.get("repeat")).repeat(((Number) repeated.get("times")).intValue())
                : (String) response.get("body");
        Platform.Reply reply = new Platform.Reply(
                JSONObjectUtils.getInt(response, "status"),
                (String) headers.getOrDefault("Content-Type", ""),
                "",
                body);
        JWKSet keys = JWKSet.parse(read((String) vector.get("jwks")));
        CheckToken.requireAnswer(reply);
        return new AnswerReader(builder).read(testCase.token(), reply.body(), name -> key(keys, name));
    }

    private static JWSVerifier key(JWKSet keys, String name) {
        String[] algorithmAndKid = name.split(" ", 2);
        JWK key = keys.getKeyByKeyId(algorithmAndKid[1]);
        if (key == null || !key.getAlgorithm().getName().equals(algorithmAndKid[0])) {
            return null;
        }
        try {
            return new DefaultJWSVerifierFactory()
                    .createJWSVerifier(
                            new JWSHeader(JWSAlgorithm.parse(algorithmAndKid[0])), ((AsymmetricJWK) key).toPublicKey());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> read(String file) throws Exception {
        try (InputStream stream = VectorsTest.class.getResourceAsStream("/testkit/vectors/" + file)) {
            return JSONObjectUtils.parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
