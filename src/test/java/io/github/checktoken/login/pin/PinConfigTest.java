package io.github.checktoken.login.pin;

import java.util.Map;

import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.RequiredActionConfigModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PinConfigTest {

    @Test
    void nothingSetMeansTheDefaults() {
        PinConfig form = PinConfig.of((AuthenticatorConfigModel) null);
        assertEquals(5, form.maxFailures());
        assertEquals(900, form.failureWindow());
        assertEquals(6, PinConfig.of((RequiredActionConfigModel) null).length());
    }

    @Test
    void whatIsSetCounts() {
        PinConfig form = form(Map.of("maxFailures", "3", "failureWindow", " 60 "));
        assertEquals(3, form.maxFailures());
        assertEquals(60, form.failureWindow());
        assertEquals(8, PinConfig.of(action("8")).length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "101", "many", "99999999999", "5.5"})
    void capThatCannotBeMeantIsTheDefault(String value) {
        assertEquals(5, form(Map.of("maxFailures", value)).maxFailures());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "16"})
    void lengthMayBe(String value) {
        assertTrue(PinConfig.isLengthValid(action(value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "17", "six"})
    void lengthMustNotBe(String value) {
        assertFalse(PinConfig.isLengthValid(action(value)));
        assertEquals(6, PinConfig.of(action(value)).length());
    }

    private static PinConfig form(Map<String, String> config) {
        AuthenticatorConfigModel model = new AuthenticatorConfigModel();
        model.setConfig(config);
        return PinConfig.of(model);
    }

    private static RequiredActionConfigModel action(String length) {
        RequiredActionConfigModel model = new RequiredActionConfigModel();
        model.setConfig(Map.of("length", length));
        return model;
    }
}
