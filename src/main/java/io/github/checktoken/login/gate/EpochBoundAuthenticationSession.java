package io.github.checktoken.login.gate;

import java.util.Objects;

import org.keycloak.services.ErrorPageException;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/**
 * An authentication session to which a request writes only what is about the login with which the request began, and
 * which remembers what the request has written.
 *
 * <p>A note in the session is its <em>epoch</em>. It changes whenever a flow is reset or the user is replaced. A request
 * that finds another epoch than the one that it began with must not write, because it has checked something for a login
 * that is no longer there.
 */
abstract class EpochBoundAuthenticationSession extends ForwardingAuthenticationSession {

    static final String EPOCH = "checktoken.epoch";

    final RequestWrites writes;
    private final RequestLock lock;

    EpochBoundAuthenticationSession(
            AuthenticationSessionModel delegate,
            RootAuthenticationSessionModel parent,
            RequestLock lock,
            RequestWrites writes) {
        super(delegate, parent);
        this.lock = lock;
        this.writes = writes;
    }

    @Override
    public void setExecutionStatus(String execution, ExecutionStatus status) {
        requireSameEpoch();
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
        requireSameEpoch();
        writes.requiredAction(action);
        delegate.addRequiredAction(action);
    }

    @Override
    public void setUserSessionNote(String name, String value) {
        requireSameEpoch();
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
        requireSameEpoch();
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

    void beginEpoch() {
        delegate.setAuthNote(EPOCH, writes.newEpoch());
    }

    /** @throws ErrorPageException if the request has taken too long, or the login is not the one with which it began */
    void requireSameEpoch() {
        requireInTime();
        if (!isLogout() && !Objects.equals(writes.epoch(), delegate.getAuthNote(EPOCH))) {
            throw lock.busy();
        }
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
