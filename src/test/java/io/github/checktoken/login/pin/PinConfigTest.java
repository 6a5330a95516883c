package io.github.checktoken.login.pin;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticationFlowModel;
import org.keycloak.models.AuthenticatorConfigModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.RequiredActionConfigModel;

import io.github.checktoken.support.Fake;
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

    @Test
    void changeOfAPinHasTheStrictestLimitOfAllStepsThatAskForIt() {
        PinConfig strictest = PinConfig.strictestIn(realm(Map.of("maxFailures", "3"), Map.of("failureWindow", "1800")));
        assertEquals(3, strictest.maxFailures());
        assertEquals(1800, strictest.failureWindow());
    }

    @Test
    void changeOfAPinHasTheDefaultLimitIfNoStepAsksForIt() {
        assertEquals(PinConfig.of((AuthenticatorConfigModel) null), PinConfig.strictestIn(realm()));
    }

    /** @param configs of the steps that ask for the PIN */
    @SafeVarargs
    private static RealmModel realm(Map<String, String>... configs) {
        return Fake.of(RealmModel.class, (method, arguments) -> switch (method) {
            case "getAuthenticationFlowsStream" -> Stream.of(new AuthenticationFlowModel());
            case "getAuthenticationExecutionsStream" ->
                IntStream.range(0, configs.length).mapToObj(PinConfigTest::execution);
            case "getAuthenticatorConfigById" -> model(configs[Integer.parseInt((String) arguments[0])]);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static AuthenticationExecutionModel execution(int config) {
        AuthenticationExecutionModel execution = new AuthenticationExecutionModel();
        execution.setRequirement(AuthenticationExecutionModel.Requirement.REQUIRED);
        execution.setAuthenticator(PinAuthenticator.PROVIDER_ID);
        execution.setAuthenticatorConfig(Integer.toString(config));
        return execution;
    }

    private static PinConfig form(Map<String, String> config) {
        return PinConfig.of(model(config));
    }

    private static AuthenticatorConfigModel model(Map<String, String> config) {
        AuthenticatorConfigModel model = new AuthenticatorConfigModel();
        model.setConfig(config);
        return model;
    }

    private static RequiredActionConfigModel action(String length) {
        RequiredActionConfigModel model = new RequiredActionConfigModel();
        model.setConfig(Map.of("length", length));
        return model;
    }
}
