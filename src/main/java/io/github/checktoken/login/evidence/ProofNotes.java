package io.github.checktoken.login.evidence;

import java.util.List;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.Constants;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

/** Keycloak's notes of what was proved: the correct password, the level of authentication, and the used credentials. */
final class ProofNotes {

    private static final List<String> NOTES = List.of(
            AuthenticationManager.PASSWORD_VALIDATED,
            Constants.LEVEL_OF_AUTHENTICATION,
            Constants.LOA_MAP,
            AuthenticationProcessor.AUTHN_CREDENTIALS);

    private ProofNotes() {}

    /** Called when no user is set any more, because they must not count for the next one. */
    static void removeFrom(AuthenticationSessionModel authSession) {
        for (String note : NOTES) {
            if (authSession.getAuthNote(note) != null) {
                authSession.removeAuthNote(note);
            }
        }
        if (authSession.getUserSessionNotes().containsKey(Constants.LOA_MAP)) {
            authSession.setUserSessionNote(Constants.LOA_MAP, null);
        }
    }
}
