package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.AuthenticatedClientSessionModel;

import io.github.checktoken.support.Fake;

/** A client session that has notes and nothing else. */
public final class NotesOnlyClientSession {

    private NotesOnlyClientSession() {}

    /** @param notes the map that holds the notes of the session */
    public static AuthenticatedClientSessionModel clientSession(Map<String, String> notes) {
        return Fake.of(AuthenticatedClientSessionModel.class, (method, arguments) -> switch (method) {
            case "getNote" -> notes.get(arguments[0]);
            case "setNote" -> notes.put((String) arguments[0], (String) arguments[1]);
            case "removeNote" -> notes.remove(arguments[0]);
            case "getNotes" -> new HashMap<>(notes);
            default -> throw new UnsupportedOperationException(method);
        });
    }
}
