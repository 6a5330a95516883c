package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

/**
 * What the current request has written to one authentication session, since it began or since it has removed the user.
 * If the request then sets another user, this is about the new one: the callback of an identity provider writes its
 * notes, and a password form notes the correct password, before Keycloak sets the user.
 */
final class RequestWrites {

    private final Map<String, String> authNotes = new HashMap<>();
    private final Map<String, String> userSessionNotes = new HashMap<>();
    private final Map<String, String> clientNotesBefore = new HashMap<>();
    private final Map<String, ExecutionStatus> executionStatus = new HashMap<>();
    private final Set<String> requiredActions = new HashSet<>();
    private boolean userSet;
    private boolean ownerSet;
    private String ownerBefore;

    /** @param before the owner before this request set another one; null if there was none */
    void ownerSet(String before) {
        ownerSet = true;
        ownerBefore = before;
    }

    /** Whether this request has set the owner and has written nothing since. */
    boolean isNothingWrittenForOwner() {
        return ownerSet;
    }

    String ownerBefore() {
        return ownerBefore;
    }

    void userSet() {
        userSet = true;
    }

    /** Whether this request has set the user, also if it is the one of before. */
    boolean isUserSet() {
        return userSet;
    }

    void userRemoved() {
        userSet = false;
        authNotes.clear();
        userSessionNotes.clear();
        executionStatus.clear();
        requiredActions.clear();
        ownerSet = false;
    }

    void authNote(String name, String value) {
        write(authNotes, name, value);
    }

    void userSessionNote(String name, String value) {
        write(userSessionNotes, name, value);
    }

    /**
     * It stays noted when the user is removed: a provider's callback writes it before Keycloak resets the login.
     *
     * @param before its value before this; null if there was none
     */
    void clientNote(String name, String before) {
        if (!hasWrittenClientNote(name)) {
            clientNotesBefore.put(name, before);
        }
    }

    boolean hasWrittenClientNote(String name) {
        return clientNotesBefore.containsKey(name);
    }

    /** @return its value when the request began; null if there was none, or if the request has not written it */
    String clientNoteBefore(String name) {
        return clientNotesBefore.get(name);
    }

    void executionStatus(String execution, ExecutionStatus status) {
        write(executionStatus, execution, status);
    }

    void requiredAction(String action) {
        requiredActions.add(action);
        ownerSet = false;
    }

    void clearAuthNotes() {
        authNotes.clear();
        ownerSet = false;
    }

    void clearUserSessionNotes() {
        userSessionNotes.clear();
    }

    void clearExecutionStatus() {
        executionStatus.clear();
    }

    Map<String, String> authNotes() {
        return authNotes;
    }

    Map<String, String> userSessionNotes() {
        return userSessionNotes;
    }

    Map<String, ExecutionStatus> executionStatus() {
        return executionStatus;
    }

    Set<String> requiredActions() {
        return requiredActions;
    }

    private <T> void write(Map<String, T> written, String name, T value) {
        if (value == null) {
            written.remove(name);
        } else {
            written.put(name, value);
        }
        ownerSet = false;
    }
}
