package io.github.checktoken.login.evidence;

import org.keycloak.models.UserSessionModel;

/**
 * Stores the methods of a single sign-on session: those of its logins since the last forced re-authentication. If
 * Keycloak restarts the session for another user, it clears the session's notes.
 */
public final class UserSessionMethodStore {

    private static final String NOTE = "checktoken.amr.methods";

    private UserSessionMethodStore() {}

    public static AuthenticationMethods of(UserSessionModel userSession) {
        return JsonNote.read(userSession.getNote(NOTE), AuthenticationMethods.class)
                .orElse(AuthenticationMethods.NONE);
    }

    /** Whether a login of this session was recorded. */
    public static boolean isIn(UserSessionModel userSession) {
        return userSession.getNote(NOTE) != null;
    }

    /**
     * Adds the methods of a login that continues the session. A login without any writes nothing, because a forced
     * re-authentication may replace the methods at the same moment.
     */
    public static void add(UserSessionModel userSession, AuthenticationMethods methods) {
        AuthenticationMethods earlier = of(userSession);
        AuthenticationMethods all = earlier.plus(methods);
        if (!isIn(userSession) || !all.equals(earlier)) {
            replace(userSession, all);
        }
    }

    public static void replace(UserSessionModel userSession, AuthenticationMethods methods) {
        userSession.setNote(NOTE, JsonNote.write(methods));
    }
}
