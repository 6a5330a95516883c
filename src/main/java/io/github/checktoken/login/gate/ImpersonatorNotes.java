package io.github.checktoken.login.gate;

import java.util.Arrays;

import org.keycloak.models.ImpersonationSessionNote;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.evidence.ContinuedUserSession;
import io.github.checktoken.login.evidence.LoginEvidence;

/** Keycloak may end a login in a new session, which would not say that an administrator acts as the user. */
final class ImpersonatorNotes {

    private ImpersonatorNotes() {}

    /** Copies them from the session that the login continues, unless the user has proved something in this login. */
    static void copy(KeycloakSession session, AuthenticationSessionModel authSession) {
        if (new LoginEvidence(session, authSession).identifiesUserInThisLogin()) {
            return;
        }
        ContinuedUserSession.of(session, authSession.getRealm())
                .filter(continued -> continued.getUser().equals(authSession.getAuthenticatedUser()))
                .ifPresent(continued -> Arrays.stream(ImpersonationSessionNote.values())
                        .map(Enum::toString)
                        .filter(note -> continued.getNote(note) != null)
                        .forEach(note -> authSession.setUserSessionNote(note, continued.getNote(note))));
    }
}
