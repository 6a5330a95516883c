package io.github.checktoken.login.evidence;

import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * A login in which a single sign-on session goes on and nothing else was proved, although a step of the flow has passed.
 * Keycloak takes it for a new login then, with level 1 and a new time; its own notes are left to it.
 */
public final class SingleSignOnAlone {

    private static final String NOTE = "checktoken.sso";

    private SingleSignOnAlone() {}

    public static void note(AuthenticationSessionModel authSession) {
        authSession.setAuthNote(NOTE, Boolean.TRUE.toString());
    }

    public static boolean isNoted(AuthenticationSessionModel authSession) {
        return authSession.getAuthNote(NOTE) != null;
    }
}
