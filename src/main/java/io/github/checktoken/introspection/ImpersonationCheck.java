package io.github.checktoken.introspection;

import java.util.Arrays;

import org.keycloak.models.ImpersonationSessionNote;
import org.keycloak.models.UserSessionModel;

/**
 * A session in which somebody else acts as the person: an administrator ({@code users/{id}/impersonation}), or a client
 * that exchanged a token for one of the person ({@code requested_subject}).
 */
final class ImpersonationCheck {

    /** Keycloak's authentication method of each such session. The exchange without a subject token has no note at first. */
    private static final String AUTH_METHOD = "impersonate";

    private ImpersonationCheck() {}

    /** Offline sessions and transient copies carry the method and the notes of the session that they were made from. */
    static boolean marks(UserSessionModel userSession) {
        return AUTH_METHOD.equals(userSession.getAuthMethod())
                || Arrays.stream(ImpersonationSessionNote.values())
                        .anyMatch(note -> userSession.getNote(note.toString()) != null);
    }
}
