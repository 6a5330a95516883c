package io.github.checktoken.client;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;

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
            boolean active = !testCase.expect().get("kind").equals("inactive");
            assertEquals(active, answer(testCase, vector).get("active"));
        } else {
            CheckTokenException refusal = assertThrows(CheckTokenException.class, () -> answer(testCase, vector));
            assertTrue(testCase.isReason(refusal.reason()), refusal.getMessage());
        }
    }

    private static Map<String, Object> answer(TestCase testCase, Map<String, Object> vector) throws Exception {
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
        JWKSet keys = JWKSet.parse(read((String) vector.get("jwks")));
        CheckTokenException.unlessOk(JSONObjectUtils.getInt(response, "status"), body);
        return new AnswerReader(builder)
                .read(
                        testCase.token(),
                        (String) headers.getOrDefault("Content-Type", ""),
                        body,
                        wanted -> keys.filter(wanted).getKeys().stream()
                                .findFirst()
                                .orElse(null));
    }

    private static Map<String, Object> read(String file) throws Exception {
        try (InputStream stream = VectorsTest.class.getResourceAsStream("/testkit/vectors/" + file)) {
            return JSONObjectUtils.parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
