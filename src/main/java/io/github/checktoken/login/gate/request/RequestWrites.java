package io.github.checktoken.login.gate.request;

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
public final class RequestWrites {

    private final Map<String, String> authNotes = new HashMap<>();
    private final Map<String, String> userSessionNotes = new HashMap<>();
    private final Map<String, String> clientNotesBefore = new HashMap<>();
    private final Map<String, ExecutionStatus> executionStatus = new HashMap<>();
    private final Set<String> requiredActions = new HashSet<>();
    private boolean userSet;
    private boolean ownerSet;
    private String ownerBefore;

    /** @param before the owner before this request set another one; null if there was none */
    public void ownerSet(String before) {
        ownerSet = true;
        ownerBefore = before;
    }

    /** Whether this request has set the owner and has written nothing since. */
    public boolean isNothingWrittenForOwner() {
        return ownerSet;
    }

    /** @return null if there was none */
    public String ownerBefore() {
        return ownerBefore;
    }

    /** Called when the user is set, also if it is the one of before. */
    public void userSet() {
        userSet = true;
    }

    /** Whether this request has set the user, also if it is the one of before. */
    public boolean isUserSet() {
        return userSet;
    }

    /** Forgets what was written about the user who is removed. */
    public void userRemoved() {
        userSet = false;
        authNotes.clear();
        userSessionNotes.clear();
        executionStatus.clear();
        requiredActions.clear();
        ownerSet = false;
    }

    /** @param value null if the note is removed */
    public void authNote(String name, String value) {
        write(authNotes, name, value);
    }

    /** @param value null if the note is removed */
    public void userSessionNote(String name, String value) {
        write(userSessionNotes, name, value);
    }

    /**
     * It stays noted when the user is removed: a provider's callback writes it before Keycloak resets the login.
     *
     * @param before its value before this; null if there was none
     */
    public void clientNote(String name, String before) {
        if (!hasWrittenClientNote(name)) {
            clientNotesBefore.put(name, before);
        }
    }

    /** Whether this request has written it. */
    public boolean hasWrittenClientNote(String name) {
        return clientNotesBefore.containsKey(name);
    }

    /** @return its value when the request began; null if there was none, or if the request has not written it */
    public String clientNoteBefore(String name) {
        return clientNotesBefore.get(name);
    }

    /** @param status null if it is removed */
    public void executionStatus(String execution, ExecutionStatus status) {
        write(executionStatus, execution, status);
    }

    /** @param action the alias of an action that was added */
    public void requiredAction(String action) {
        requiredActions.add(action);
        ownerSet = false;
    }

    /** Called when Keycloak clears all of them. */
    public void clearAuthNotes() {
        authNotes.clear();
        ownerSet = false;
    }

    /** Called when Keycloak clears all of them. */
    public void clearUserSessionNotes() {
        userSessionNotes.clear();
    }

    /** Called when Keycloak clears all of them. */
    public void clearExecutionStatus() {
        executionStatus.clear();
    }

    /** @return what was written, by name */
    public Map<String, String> authNotes() {
        return authNotes;
    }

    /** @return what was written, by name */
    public Map<String, String> userSessionNotes() {
        return userSessionNotes;
    }

    /** @return what was written, by the id of the step */
    public Map<String, ExecutionStatus> executionStatus() {
        return executionStatus;
    }

    /** @return the aliases of those that were added */
    public Set<String> requiredActions() {
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
