package io.github.checktoken.introspection.token;

import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.models.UserSessionProvider;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The session is Anna's. No mapper of the service provider gives her a subject. */
class SubjectCheckTest {

    private final UserSessionModel ofAnna = userSession("anna", false);
    private final UserSessionModel offlineOfAnna = userSession("anna", true);

    @Test
    void tokenOfTheSessionsUserIsAccepted() {
        assertTrue(accepts("anna", ofAnna, null));
    }

    @Test
    void tokenOfAnotherSubjectIsRejected() {
        assertFalse(accepts("bruno", ofAnna, null));
        assertFalse(accepts("bruno", offlineOfAnna, null));
    }

    @Test
    void tokenWithoutASubjectIsThatOfTheSession() {
        assertTrue(accepts(null, ofAnna, null));
    }

    /** An offline session has the id of an online one, which can be somebody else's by now. */
    @Test
    void tokenWithoutASubjectIsRejectedIfTheSessionsIdIsThatOfTwoPersons() {
        assertTrue(accepts(null, offlineOfAnna, null));
        assertTrue(accepts(null, offlineOfAnna, ofAnna));
        assertFalse(accepts(null, offlineOfAnna, userSession("bruno", false)));
    }

    private static boolean accepts(String subject, UserSessionModel userSession, UserSessionModel online) {
        UserSessionProvider sessions = Fake.of(
                UserSessionProvider.class, (method, arguments) -> method.equals("getUserSession") ? online : null);
        AccessToken token = new AccessToken();
        token.subject(subject);
        return new SubjectCheck(
                        Fake.of(KeycloakSession.class, Map.of("sessions", sessions)),
                        Fake.of(ClientModel.class, Map.of()))
                .accepts(token, userSession);
    }

    private static UserSessionModel userSession(String user, boolean offline) {
        return Fake.of(
                UserSessionModel.class,
                Map.of("getUser", Fake.of(UserModel.class, Map.of("getId", user)), "isOffline", offline));
    }
}
