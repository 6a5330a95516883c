package io.github.checktoken.keycloak;

import java.util.Optional;

import org.keycloak.models.AuthenticatedClientSessionModel;

/**
 * Stores the highest level of the logins of a client session since the last forced re-authentication. If Keycloak
 * restarts the session for another person, it clears the session's notes.
 */
public final class ClientSessionLevel {

    private static final String NOTE = "checktoken.level.highest";

    private ClientSessionLevel() {}

    /** @return empty if no login with a known level was recorded, such as one of an earlier version */
    public static Optional<Integer> highest(AuthenticatedClientSessionModel clientSession) {
        String note = clientSession.getNote(NOTE);
        return Optional.ofNullable(note).map(Integer::valueOf);
    }

    /**
     * @param level of a login that has just ended; null if it is not known
     * @param replaces whether the login was a forced re-authentication
     */
    public static void record(AuthenticatedClientSessionModel clientSession, Integer level, boolean replaces) {
        Optional<Integer> before = highest(clientSession);
        if (level == null) {
            if (replaces && before.isPresent()) {
                clientSession.removeNote(NOTE);
            }
        } else if (replaces || before.isEmpty() || before.get() < level) {
            clientSession.setNote(NOTE, level.toString());
        }
    }

    /** Copies the level to the offline session of the same login, if there is one. */
    public static void copy(AuthenticatedClientSessionModel online, AuthenticatedClientSessionModel offline) {
        highest(online).ifPresent(level -> offline.setNote(NOTE, String.valueOf(level)));
    }
}
