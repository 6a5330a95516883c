package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CurrentStepTest {

    private static final String EXECUTION = AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION;

    private final Map<String, Object> tab =
            new HashMap<>(Map.of("user", user("anna"), EXECUTION, "pin", "action", "AUTHENTICATE"));
    private final AuthenticationSessionModel authSession = authSession(tab);
    private final CurrentStep step = new CurrentStep(null, authSession, user("anna"));

    @Test
    void isCurrentAsLongAsNothingChanges() {
        assertTrue(step.isCurrent());
    }

    @Test
    void isNotForAnotherUser() {
        tab.put("user", user("bruno"));
        assertFalse(step.isCurrent());
    }

    @Test
    void isNotWithoutAUser() {
        tab.remove("user");
        assertFalse(step.isCurrent());
        assertFalse(new CurrentStep(null, authSession, null).isCurrent());
    }

    @Test
    void isNotAtAnotherExecution() {
        tab.put(EXECUTION, "password");
        assertFalse(step.isCurrent());
    }

    @Test
    void isNotAfterARestart() {
        tab.remove(EXECUTION);
        assertFalse(step.isCurrent());
    }

    @Test
    void isNotInAnotherPartOfTheLogin() {
        tab.put("action", "REQUIRED_ACTIONS");
        assertFalse(step.isCurrent());
    }

    private static AuthenticationSessionModel authSession(Map<String, Object> tab) {
        return Fake.of(AuthenticationSessionModel.class, (method, args) -> switch (method) {
            case "getAuthenticatedUser" -> tab.get("user");
            case "getAuthNote" -> tab.get(args[0]);
            case "getAction" -> tab.get("action");
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static UserModel user(String id) {
        return Fake.of(UserModel.class, Map.of("getId", id));
    }
}
