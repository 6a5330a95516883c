package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.keycloak.models.UserModel;

/** Keeps notes, statuses, required actions and the action in memory. It has no user, no client and no realm. */
public final class FakeAuthenticationSession extends ForwardingAuthenticationSession {

    final Map<String, String> authNotes = new HashMap<>();
    final Map<String, String> userSessionNotes = new HashMap<>();
    public final Map<String, String> clientNotes = new HashMap<>();
    final Map<String, ExecutionStatus> executions = new HashMap<>();
    final Set<String> requiredActions = new HashSet<>();
    private String action;

    public FakeAuthenticationSession() {
        super(null, null);
    }

    @Override
    public void setAuthenticatedUser(UserModel user) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getAuthNote(String name) {
        return authNotes.get(name);
    }

    @Override
    public void setAuthNote(String name, String value) {
        authNotes.put(name, value);
    }

    @Override
    public void removeAuthNote(String name) {
        authNotes.remove(name);
    }

    @Override
    public void clearAuthNotes() {
        authNotes.clear();
    }

    @Override
    public void setUserSessionNote(String name, String value) {
        userSessionNotes.put(name, value);
    }

    @Override
    public void clearUserSessionNotes() {
        userSessionNotes.clear();
    }

    @Override
    public Map<String, ExecutionStatus> getExecutionStatus() {
        return executions;
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        executions.put(execution, status);
    }

    @Override
    public void clearExecutionStatus() {
        executions.clear();
    }

    @Override
    public Set<String> getRequiredActions() {
        return requiredActions;
    }

    @Override
    public void addRequiredAction(String action) {
        requiredActions.add(action);
    }

    @Override
    public void removeRequiredAction(String action) {
        requiredActions.remove(action);
    }

    @Override
    public String getAction() {
        return action;
    }

    @Override
    public void setAction(String action) {
        this.action = action;
    }

    @Override
    public String getClientNote(String name) {
        return clientNotes.get(name);
    }

    @Override
    public void setClientNote(String name, String value) {
        clientNotes.put(name, value);
    }

    @Override
    public void removeClientNote(String name) {
        clientNotes.remove(name);
    }
}
