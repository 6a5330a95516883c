package io.github.checktoken.login.gate.provider;

import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * When the person has signed in at the identity provider, in seconds since the epoch. Keycloak keeps what the provider tells
 * in a client note, and makes it the time of its own login.
 */
public final class TimeAtProvider {

    /** The name of the client note. */
    public static final String NOTE = AuthenticationManager.AUTH_TIME_BROKER;

    private TimeAtProvider() {}

    /** A provider can tell any time. With one in the future, its login would be new for as long. */
    public static String notLaterThanNow(String clientNote, String value) {
        boolean believed = !NOTE.equals(clientNote)
                || value == null
                || value.matches("[0-9]{1,10}") && Long.parseLong(value) <= CurrentTime.seconds();
        return believed ? value : String.valueOf(CurrentTime.seconds());
    }

    /**
     * Called before a link that the user has requested is made. The provider has told a time that is not the time of this
     * login.
     *
     * @param writes what this request has written
     */
    public static void keepThatOfBefore(AuthenticationSessionModel authSession, RequestWrites writes) {
        if (writes.clientNoteBefore(NOTE) != null) {
            authSession.setClientNote(NOTE, writes.clientNoteBefore(NOTE));
        } else if (writes.hasWrittenClientNote(NOTE)) {
            authSession.removeClientNote(NOTE);
        }
    }
}
