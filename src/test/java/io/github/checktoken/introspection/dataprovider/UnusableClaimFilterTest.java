package io.github.checktoken.introspection.dataprovider;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The values are as Keycloak's mappers give them: JSON nodes, and maps for claim names with dots. */
class UnusableClaimFilterTest {

    @Test
    void claimOfTwentyLevelsStaysAndOneMoreIsTooDeep() throws JsonProcessingException {
        assertEquals(Map.of(), removed(json("[".repeat(20) + "1" + "]".repeat(20))));
        assertEquals(Map.of("claim", OmissionCause.TOO_DEEP), removed(json("[".repeat(21) + "]".repeat(21))));
        assertEquals(Map.of("claim", OmissionCause.TOO_DEEP), removed(json("[".repeat(999) + "1" + "]".repeat(999))));
    }

    @Test
    void levelsOfTheClaimsNameCountTogetherWithThoseOfItsValue() throws JsonProcessingException {
        assertEquals(Map.of(), removed(nested(10, json("[".repeat(10) + "1" + "]".repeat(10)))));
        assertEquals(
                Map.of("claim", OmissionCause.TOO_DEEP),
                removed(nested(10, json("[".repeat(11) + "1" + "]".repeat(11)))));
        assertEquals(Map.of("claim", OmissionCause.TOO_DEEP), removed(nested(5000, "text")));
    }

    @Test
    void numberThatIsNotFiniteIsFoundAtEachDepth() throws JsonProcessingException {
        assertEquals(Map.of("claim", OmissionCause.NOT_FINITE), removed(json("1e400")));
        assertEquals(Map.of("claim", OmissionCause.NOT_FINITE), removed(json("{\"a\":[1,{\"b\":-1e400}]}")));
        assertEquals(Map.of("claim", OmissionCause.NOT_FINITE), removed(List.of(Double.NaN)));
        assertEquals(Map.of("claim", OmissionCause.NOT_FINITE), removed(Float.POSITIVE_INFINITY));
    }

    @Test
    void ordinaryValuesStay() throws JsonProcessingException {
        for (String value : List.of("null", "true", "1e300", "-0.5", "12345678901234567890123", "\"1e400\"", "{}")) {
            assertEquals(Map.of(), removed(json(value)), value);
        }
        assertEquals(Map.of(), removed("text"));
        assertEquals(Map.of(), removed(null));
    }

    @Test
    void onlyTheUnusableClaimsAreRemoved() {
        Map<String, Object> claims = new HashMap<>(Map.of("good", "text", "bad", Double.NaN));
        UnusableClaimFilter.removeFrom(claims);
        assertEquals(Map.of("good", "text"), claims);
    }

    private static Map<String, OmissionCause> removed(Object value) {
        Map<String, Object> claims = new HashMap<>();
        claims.put("claim", value);
        return UnusableClaimFilter.removeFrom(claims);
    }

    private static Object nested(int depth, Object value) {
        Object nested = value;
        for (int i = 0; i < depth; i++) {
            nested = Map.of("a", nested);
        }
        return nested;
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return JsonSerialization.mapper.readTree(text);
    }
}
