package io.github.checktoken.introspection.token;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.UserSessionModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ImpersonationCheckTest {

    private final Map<Object, String> notes = new HashMap<>();

    @Test
    void sessionInWhichTheUserSignedInIsNotImpersonated() {
        assertFalse(isImpersonated("openid-connect"));
        assertFalse(isImpersonated(null));
    }

    /** A session from a token exchange has no notes at first. */
    @Test
    void methodAloneShowsIt() {
        assertTrue(isImpersonated("impersonate"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"IMPERSONATOR_ID", "IMPERSONATOR_USERNAME"})
    void noteAloneShowsIt(String note) {
        notes.put(note, "admin");
        assertTrue(isImpersonated("openid-connect"));
    }

    private boolean isImpersonated(String authMethod) {
        return ImpersonationCheck.isImpersonated(Fake.of(
                UserSessionModel.class,
                (method, arguments) -> method.equals("getAuthMethod") ? authMethod : notes.get(arguments[0])));
    }
}
