package io.github.checktoken.introspection.endpoint;

import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.introspection.jose.JoseAlgorithms;
import io.github.checktoken.support.client.Http;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Tests {@code docs/openapi.yaml} by itself: its references, its examples, and what its schemas reject. */
class OpenApiTest {

    private final OpenApiDocument document = new OpenApiDocument();

    @TestFactory
    Stream<DynamicTest> referencesLeadSomewhere() {
        return document.root().findValuesAsText("$ref").stream()
                .distinct()
                .map(reference -> DynamicTest.dynamicTest(
                        reference,
                        () -> assertFalse(
                                document.root().at(reference.substring(1)).isMissingNode())));
    }

    @TestFactory
    Stream<DynamicTest> examplesMatchTheirSchemas() {
        return document.root()
                .at("/components/schemas")
                .propertyStream()
                .flatMap(schema -> schema.getValue()
                        .path("examples")
                        .valueStream()
                        .map(example -> example(schema.getKey(), example)));
    }

    @TestFactory
    Stream<DynamicTest> examplesOfTheFormMatchItsSchema() {
        return document.root()
                .at("/components/requestBodies/CheckToken/content/application~1x-www-form-urlencoded/examples")
                .propertyStream()
                .map(example -> example("CheckTokenForm", example.getValue().path("value")));
    }

    /** A schema that accepts everything would pass the tests with examples. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CheckTokenForm | {'token': ' '}",
                "CheckTokenForm | {'token': 't', 'client_secret': 's'}",
                "EncryptedAnswer | 'a.b.c'",
                "EncryptionHeader | {'alg': 'RSA-OAEP', 'enc': 'A256GCM'}",
                "EncryptionHeader | {'alg': 'ECDH-ES', 'enc': 'A256GCM', 'cty': 'JWT'}",
                "SignatureHeader | {'alg': 'none', 'kid': 'k', 'typ': 'token-introspection+jwt'}",
                "TokenIntrospection | {'active': false, 'sub': 's'}",
                "TokenIntrospection | {'active': true}",
                "Error | {'error': 'invalid_request'}",
                "EncryptionKeyStatus | {'source': 'JWKS_URL', 'usable': false}",
                "EncryptionKeyStatus | {'source': 'NONE', 'usable': false, 'jwksUrl': 'https://example.org'}"
            },
            quoteCharacter = '"')
    void otherValuesAreRejected(String schema, String value) {
        JsonNode other = Http.json(value.replace('\'', '"'));
        assertFalse(document.problems(other, "#/components/schemas/" + schema).isEmpty());
    }

    @Test
    void answerHasNoFurtherMember() {
        for (String place : List.of("", "/token_introspection")) {
            JsonNode answer = document.root()
                    .at("/components/schemas/AnswerPayload/examples/0")
                    .deepCopy();
            answer.withObject(place).put("nbf", 1795258568);
            assertFalse(
                    document.problems(answer, "#/components/schemas/AnswerPayload")
                            .isEmpty(),
                    place);
        }
    }

    @Test
    void algorithmsAreTheSupportedOnes() {
        assertEquals(JoseAlgorithms.SIGNATURE, algorithms("SignatureAlgorithm"));
        assertEquals(JoseAlgorithms.KEY_MANAGEMENT, algorithms("KeyEncryptionAlgorithm"));
        assertEquals(JoseAlgorithms.CONTENT_ENCRYPTION, algorithms("ContentEncryptionAlgorithm"));
    }

    private List<String> algorithms(String schema) {
        return document.root()
                .at("/components/schemas/" + schema + "/enum")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private DynamicTest example(String schema, JsonNode example) {
        return DynamicTest.dynamicTest(
                schema + " " + example,
                () -> assertEquals(List.of(), document.problems(example, "#/components/schemas/" + schema)));
    }
}
