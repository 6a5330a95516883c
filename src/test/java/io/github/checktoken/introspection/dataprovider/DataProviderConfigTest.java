package io.github.checktoken.introspection.dataprovider;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ProtocolMapperModel;

import io.github.checktoken.text.SingleLineText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DataProviderConfigTest {

    @Test
    void blankSettingsHaveTheirDefaults() {
        for (Map<String, String> settings : Arrays.asList(
                null,
                Map.<String, String>of(),
                Map.of(
                        DataProviderConfig.SIGNATURE_ALGORITHM, "",
                        DataProviderConfig.KEY_ALGORITHM, " ",
                        DataProviderConfig.CONTENT_ALGORITHM, "",
                        DataProviderConfig.SCOPE_REQUIRED, "",
                        DataProviderConfig.AUTH_TIME, ""))) {
            DataProviderConfig config = config(settings);
            assertEquals("RS256", config.signatureAlgorithm());
            assertEquals("RSA-OAEP-256", config.keyAlgorithm());
            assertEquals("A256GCM", config.contentAlgorithm());
            assertFalse(config.requiresScope());
            assertFalse(config.disclosesAuthTime());
            assertEquals(List.of(), config.unsupportedSettings());
        }
    }

    @Test
    void switchesAreOnOnlyIfTheySayTrue() {
        for (String value : List.of("true", "false")) {
            DataProviderConfig config =
                    config(Map.of(DataProviderConfig.SCOPE_REQUIRED, value, DataProviderConfig.AUTH_TIME, value));
            assertEquals(value.equals("true"), config.requiresScope());
            assertEquals(value.equals("true"), config.disclosesAuthTime());
            assertEquals(List.of(), config.unsupportedSettings());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "introspection.signed.response.alg, none",
        "introspection.signed.response.alg, HS256",
        "introspection.signed.response.alg, rs256",
        "introspection.encrypted.response.alg, RSA1_5",
        "introspection.encrypted.response.alg, dir",
        "introspection.encrypted.response.alg, A128KW",
        "introspection.encrypted.response.enc, A128CBC",
        "introspection.encrypted.response.enc, none",
        "identity.requires.scope, yes",
        "identity.requires.scope, True",
        "auth.time.disclosed, on"
    })
    void unsupportedSettingIsNamed(String setting, String value) {
        UnsupportedSetting problem =
                config(Map.of(setting, value)).unsupportedSettings().get(0);
        assertEquals(setting, problem.setting());
        assertTrue(problem.toString().contains(value));
    }

    /** The problem is the reason of an event, which Keycloak logs. */
    @Test
    void unsupportedSettingIsOneShortLine() {
        UnsupportedSetting problem = config(Map.of(DataProviderConfig.KEY_ALGORITHM, "dir\n" + "x".repeat(1_000_000)))
                .unsupportedSettings()
                .get(0);
        assertEquals("dir " + "x".repeat(SingleLineText.MAX_CHARACTERS - 5) + "…", problem.value());
        assertEquals("introspection.encrypted.response.alg is not supported: " + problem.value(), problem.toString());
    }

    @Test
    void blankSaltIsTheMappersId() {
        assertEquals("mapper-id", config(Map.of(DataProviderConfig.SALT, "")).salt());
        assertEquals("mapper-id", config(Map.of()).salt());
        assertEquals("salt", config(Map.of(DataProviderConfig.SALT, "salt")).salt());
    }

    @Test
    void contactAddressIsOneAddressOrNone() {
        assertEquals(
                Optional.of("keys@dp.example.org"),
                contact("keys@dp.example.org").contactAddress());
        for (String none : List.of("", " ")) {
            assertEquals(Optional.empty(), contact(none).contactAddress());
            assertFalse(contact(none).isContactAddressInvalid());
        }
        assertFalse(config(null).isContactAddressInvalid());
    }

    /** Such a setting of a client's JSON must not stop its calls, and must not be in the reason of an event. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dp.example.org",
                "a@dp.example.org, b@dp.example.org",
                "a@dp.example.org\r\nBcc: b@dp.example.org",
                " keys@dp.example.org"
            })
    void whatIsNoAddressIsNotUsedAndIsNoUnsupportedSetting(String value) {
        assertEquals(Optional.empty(), contact(value).contactAddress());
        assertTrue(contact(value).isContactAddressInvalid());
        assertEquals(List.of(), contact(value).unsupportedSettings());
    }

    private static DataProviderConfig contact(String value) {
        return config(Map.of(DataProviderConfig.CONTACT_ADDRESS, value));
    }

    private static DataProviderConfig config(Map<String, String> settings) {
        ProtocolMapperModel mapper = new ProtocolMapperModel();
        mapper.setId("mapper-id");
        mapper.setConfig(settings);
        return new DataProviderConfig(mapper);
    }
}
