package io.github.checktoken.introspection.dataprovider;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.util.JsonSerialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.github.checktoken.fuzz.Fuzz;
import io.github.checktoken.fuzz.FuzzTarget;
import io.github.checktoken.fuzz.HostileInput;
import io.github.checktoken.introspection.jose.JoseAlgorithms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("fuzz")
class DataProviderFuzzTest {

    @Test
    void settingIsSupportedOrNamed() {
        Fuzz.check(
                FuzzTarget.DATA_PROVIDER_SETTINGS,
                hostile -> List.of(
                        setting(hostile, JoseAlgorithms.SIGNATURE),
                        setting(hostile, JoseAlgorithms.KEY_MANAGEMENT),
                        setting(hostile, JoseAlgorithms.CONTENT_ENCRYPTION),
                        setting(hostile, List.of(" "))),
                input -> {
                    DataProviderConfig config = config(input);
                    boolean supported = JoseAlgorithms.SIGNATURE.contains(config.signatureAlgorithm())
                            && JoseAlgorithms.KEY_MANAGEMENT.contains(config.keyAlgorithm())
                            && JoseAlgorithms.CONTENT_ENCRYPTION.contains(config.contentAlgorithm());
                    assertEquals(
                            supported,
                            config.unsupportedSettings().isEmpty(),
                            "there must be a problem unless all are supported");
                    assertFalse(config.salt().isBlank(), "the salt is blank");
                });
    }

    @Test
    void identityDataHasNoEmptyValueAndNamesNoSpace() {
        Fuzz.check(
                FuzzTarget.IDENTITY_DATA,
                hostile -> List.of(
                        "{\"a\":" + hostile.json("a", " ", "\u00a0") + "}",
                        hostile.text("Anne", "-", " ", "\u00a0", "\u3000", "Marie")),
                input -> {
                    Map<String, Object> claims = tree(input.get(0));
                    EmptyClaimFilter.removeFrom(claims);
                    claims.values().forEach(DataProviderFuzzTest::assertNotEmpty);
                    for (String name : GivenNamesMapper.split(input.get(1))) {
                        assertTrue(
                                !name.isBlank() && name.codePoints().noneMatch(Character::isSpaceChar),
                                "a name has a space");
                    }
                });
    }

    private static String setting(HostileInput hostile, List<String> supported) {
        return hostile.oneIn(3) ? hostile.text("none", "RS256", "dir") : hostile.oneOf(supported);
    }

    private static DataProviderConfig config(List<String> input) {
        Map<String, String> settings = new HashMap<>();
        List<String> names = Arrays.asList(
                DataProviderConfig.SIGNATURE_ALGORITHM,
                DataProviderConfig.KEY_ALGORITHM,
                DataProviderConfig.CONTENT_ALGORITHM,
                DataProviderConfig.SALT);
        names.forEach(name -> settings.put(name, input.get(names.indexOf(name))));
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId("mapper");
        mapper.setConfig(settings);
        return new DataProviderConfig(mapper);
    }

    private static void assertNotEmpty(Object value) {
        assertTrue(value != null && !value.equals(""), "an empty value was kept");
        if (value instanceof String text) {
            assertTrue(
                    text.codePoints().anyMatch(each -> !Character.isWhitespace(each) && each != 0xa0),
                    "a blank text was kept");
        } else if (value instanceof Map<?, ?> map) {
            assertFalse(map.isEmpty(), "an empty object was kept");
            map.values().forEach(DataProviderFuzzTest::assertNotEmpty);
        } else if (value instanceof Collection<?> list) {
            assertFalse(list.isEmpty(), "an empty list was kept");
            list.forEach(DataProviderFuzzTest::assertNotEmpty);
        }
    }

    private static Map<String, Object> tree(String json) {
        try {
            return JsonSerialization.mapper.readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            return new HashMap<>();
        }
    }
}
