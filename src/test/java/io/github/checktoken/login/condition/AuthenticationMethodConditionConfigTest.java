package io.github.checktoken.login.condition;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.AuthenticatorConfigModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class AuthenticationMethodConditionConfigTest {

    @ParameterizedTest
    @CsvSource({
        "pwd, false, pwd, true",
        "pwd##pin, false, pin, true",
        "pwd##pin, false, mail, false",
        "pwd##pin, true, pin, false",
        "pwd##pin, true, pwd pin mfa, true",
        "mfa, false, pwd, false",
        "mfa, false, '', false",
        "'', false, pwd, false",
        "'', true, pwd, false",
    })
    void oneIsEnoughUnlessAllAreNeeded(String methods, String all, String used, boolean expected) {
        Set<String> values = Set.of(used.split(" "));
        Map<String, String> settings = new HashMap<>(Map.of("methods", methods, "all", all));
        assertEquals(expected, config(settings).matches(values));
        settings.put("negate", "true");
        assertEquals(!expected, config(settings).matches(values));
    }

    @Test
    void nothingCountsWithoutSettings() {
        assertFalse(AuthenticationMethodConditionConfig.of(null).matches(Set.of("pwd")));
        assertFalse(config(null).matches(Set.of("pwd")));
    }

    private static AuthenticationMethodConditionConfig config(Map<String, String> settings) {
        AuthenticatorConfigModel model = new AuthenticatorConfigModel();
        model.setConfig(settings);
        return AuthenticationMethodConditionConfig.of(model);
    }
}
