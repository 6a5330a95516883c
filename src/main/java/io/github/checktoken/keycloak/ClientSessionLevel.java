package io.github.checktoken.keycloak;

import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.services.managers.AuthenticationManager;

/**
 * Stores the highest level of the logins of a client session since the last forced re-authentication, and when the last
 * of them was. If Keycloak restarts the session for another person, it clears the session's notes.
 */
public final class ClientSessionLevel {

    private static final String NOTE = "checktoken.level.highest";
    private static final String AUTH_TIME = "checktoken.auth.time";

    private ClientSessionLevel() {}

    /** @return empty if no login with a known level was recorded, such as one of an earlier version */
    public static Optional<Integer> highest(AuthenticatedClientSessionModel clientSession) {
        String note = clientSession.getNote(NOTE);
        return Optional.ofNullable(note).map(Integer::valueOf);
    }

    /**
     * When the user had signed in for the last login of this client. The user session has one time for all clients.
     *
     * @return in seconds since the epoch; empty if no login was recorded, such as one of an earlier version
     */
    public static Optional<Long> authTime(AuthenticatedClientSessionModel clientSession) {
        return Optional.ofNullable(clientSession.getNote(AUTH_TIME)).map(Long::valueOf);
    }

    /**
     * @param level of a login that has just ended; null if it is not known
     * @param replaces whether the login was a forced re-authentication
     */
    public static void record(AuthenticatedClientSessionModel clientSession, Integer level, boolean replaces) {
        String authTime = clientSession.getUserSession().getNote(AuthenticationManager.AUTH_TIME);
        if (authTime != null) {
            clientSession.setNote(AUTH_TIME, authTime);
        }
        Optional<Integer> before = highest(clientSession);
        if (level == null) {
            if (replaces && before.isPresent()) {
                clientSession.removeNote(NOTE);
            }
        } else if (replaces || before.isEmpty() || before.get() < level) {
            clientSession.setNote(NOTE, level.toString());
        }
    }

    /** Copies both to the offline session of the same login, if there is one. */
    public static void copy(AuthenticatedClientSessionModel online, AuthenticatedClientSessionModel offline) {
        highest(online).ifPresent(level -> offline.setNote(NOTE, String.valueOf(level)));
        authTime(online).ifPresent(time -> offline.setNote(AUTH_TIME, String.valueOf(time)));
    }
}
