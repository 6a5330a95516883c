package io.github.checktoken.login.gate;

import org.keycloak.models.utils.SessionExpiration;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;

/**
 * How long ago a login has begun: when its user was set or, if that is later, proved something first. Keycloak counts
 * from the last page or tab that was opened, so a login could be kept for days, and what was proved then would be told as
 * new.
 */
final class LoginDeadline {

    /** In seconds since the epoch. */
    private static final String NOTE = "checktoken.since";

    private LoginDeadline() {}

    static void begin(AuthenticationSessionModel authSession) {
        authSession.setAuthNote(NOTE, String.valueOf(CurrentTime.seconds()));
    }

    /** Whether the login takes longer than it may in this realm. */
    static boolean isOver(AuthenticationSessionModel authSession) {
        String since = authSession.getAuthNote(NOTE);
        return since != null
                && CurrentTime.seconds() - Long.parseLong(since)
                        > SessionExpiration.getAuthSessionLifespan(authSession.getRealm());
    }
}
