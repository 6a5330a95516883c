package io.github.checktoken.login.gate;

import org.keycloak.services.ErrorPageException;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;

import io.github.checktoken.login.gate.lock.RequestLock;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * An authentication session that remembers what the current request has written, and to which a request that has taken too
 * long writes nothing more.
 */
abstract class RequestBoundAuthenticationSession extends ForwardingAuthenticationSession {

    final RequestWrites writes;
    private final RequestLock lock;

    RequestBoundAuthenticationSession(
            AuthenticationSessionModel delegate,
            PersonBoundRootAuthenticationSession parent,
            RequestLock lock,
            RequestWrites writes) {
        super(delegate, parent);
        this.lock = lock;
        this.writes = writes;
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireInTime();
        writes.executionStatus(execution, status);
        delegate.setExecutionStatus(execution, status);
    }

    @Override
    public void clearExecutionStatus() {
        writes.clearExecutionStatus();
        delegate.clearExecutionStatus();
    }

    @Override
    public void addRequiredAction(String action) {
        requireInTime();
        writes.requiredAction(action);
        delegate.addRequiredAction(action);
    }

    @Override
    public void setUserSessionNote(String name, String value) {
        requireInTime();
        writes.userSessionNote(name, value);
        delegate.setUserSessionNote(name, value);
    }

    @Override
    public void clearUserSessionNotes() {
        writes.clearUserSessionNotes();
        delegate.clearUserSessionNotes();
    }

    @Override
    public void setAuthNote(String name, String value) {
        requireInTime();
        writes.authNote(name, value);
        delegate.setAuthNote(name, value);
    }

    @Override
    public void removeAuthNote(String name) {
        writes.authNote(name, null);
        delegate.removeAuthNote(name);
    }

    @Override
    public void setClientNote(String name, String value) {
        writes.clientNote(name, delegate.getClientNote(name));
        delegate.setClientNote(name, value);
    }

    /** @throws ErrorPageException if the request has taken so long that another one may work on the session by now */
    void requireInTime() {
        if (!isLogout() && lock.isOverdue()) {
            throw lock.busy();
        }
    }

    /** A logout waits for each service provider, and must not be undone because one of them is slow. */
    boolean isLogout() {
        return Action.LOGGING_OUT.name().equals(delegate.getAction())
                || Action.LOGGED_OUT.name().equals(delegate.getAction());
    }
}
