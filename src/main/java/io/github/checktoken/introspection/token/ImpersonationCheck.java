package io.github.checktoken.introspection.token;

import java.util.Arrays;

import org.keycloak.models.ImpersonationSessionNote;
import org.keycloak.models.UserSessionModel;

/**
 * Recognises a session in which somebody else acts as the user: an administrator ({@code users/{id}/impersonation}), or
 * a client that exchanged a token for one of the user ({@code requested_subject}).
 */
final class ImpersonationCheck {

    /**
     * Keycloak creates each such session with this authentication method. The notes alone are not enough, because a
     * session from a token exchange without a subject token has no notes at first.
     */
    private static final String AUTH_METHOD = "impersonate";

    private ImpersonationCheck() {}

    /** Offline sessions and transient copies keep the authentication method and the notes of the original session. */
    static boolean isImpersonated(UserSessionModel userSession) {
        return AUTH_METHOD.equals(userSession.getAuthMethod())
                || Arrays.stream(ImpersonationSessionNote.values())
                        .anyMatch(note -> userSession.getNote(note.toString()) != null);
    }
}
