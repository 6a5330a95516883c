package io.github.checktoken.login.evidence;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Anna has entered her password in this session 100 seconds ago. */
class RecentEvidenceTest {

    private final Map<String, String> notes = new HashMap<>();
    private final UserModel anna = Fake.of(UserModel.class, Map.of("getId", "anna"));
    private final UserSessionModel userSession = Fake.of(
            UserSessionModel.class, (method, arguments) -> method.equals("getUser") ? anna : notes.get(arguments[0]));

    RecentEvidenceTest() {
        notes.put(
                "checktoken.amr.methods",
                JsonNote.write(new AuthenticationMethods(List.of(new AuthenticationMethodUse(
                        "pwd", false, CurrentTime.seconds() - 100, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION)))));
    }

    @Test
    void methodOfTheSessionCountsUntilItIsTooOld() {
        assertEquals(Set.of("pwd"), methods(anna, 200));
        assertEquals(Set.of(), methods(anna, 50));
    }

    @Test
    void methodOfSomebodyElsesSessionDoesNotCount() {
        assertEquals(Set.of(), methods(Fake.of(UserModel.class, Map.of("getId", "bruno")), 200));
    }

    /** Somebody who has only the password may have linked an identity of their own. */
    @Test
    void sessionThatCameFromAnIdentityProviderDoesNotCount() {
        notes.put("identity_provider", "fc");
        assertEquals(Set.of(), methods(anna, 200));
    }

    private Set<String> methods(UserModel user, int seconds) {
        KeycloakContext context = Fake.of(KeycloakContext.class, Map.of("getUserSession", userSession));
        return RecentEvidence.methods(Fake.of(KeycloakSession.class, Map.of("getContext", context)), user, seconds)
                .values();
    }
}
