package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;

import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/** Forwards every call to Keycloak's own authentication session. The subclass overrides what it changes. */
abstract class ForwardingAuthenticationSession implements AuthenticationSessionModel {

    final AuthenticationSessionModel delegate;
    private final RootAuthenticationSessionModel parent;

    ForwardingAuthenticationSession(AuthenticationSessionModel delegate, RootAuthenticationSessionModel parent) {
        this.delegate = delegate;
        this.parent = parent;
    }

    @Override
    public RootAuthenticationSessionModel getParentSession() {
        return parent;
    }

    @Override
    public String getTabId() {
        return delegate.getTabId();
    }

    @Override
    public Map<String, ExecutionStatus> getExecutionStatus() {
        return delegate.getExecutionStatus();
    }

    @Override
    public void setExecutionStatus(String authenticator, ExecutionStatus status) {
        delegate.setExecutionStatus(authenticator, status);
    }

    @Override
    public void clearExecutionStatus() {
        delegate.clearExecutionStatus();
    }

    @Override
    public UserModel getAuthenticatedUser() {
        return delegate.getAuthenticatedUser();
    }

    @Override
    public void setAuthenticatedUser(UserModel user) {
        delegate.setAuthenticatedUser(user);
    }

    @Override
    public Set<String> getRequiredActions() {
        return delegate.getRequiredActions();
    }

    @Override
    public void addRequiredAction(String action) {
        delegate.addRequiredAction(action);
    }

    @Override
    public void removeRequiredAction(String action) {
        delegate.removeRequiredAction(action);
    }

    @Override
    public void addRequiredAction(UserModel.RequiredAction action) {
        addRequiredAction(action.name());
    }

    @Override
    public void removeRequiredAction(UserModel.RequiredAction action) {
        removeRequiredAction(action.name());
    }

    @Override
    public void setUserSessionNote(String name, String value) {
        delegate.setUserSessionNote(name, value);
    }

    @Override
    public Map<String, String> getUserSessionNotes() {
        return delegate.getUserSessionNotes();
    }

    @Override
    public void clearUserSessionNotes() {
        delegate.clearUserSessionNotes();
    }

    @Override
    public String getAuthNote(String name) {
        return delegate.getAuthNote(name);
    }

    @Override
    public void setAuthNote(String name, String value) {
        delegate.setAuthNote(name, value);
    }

    @Override
    public void removeAuthNote(String name) {
        delegate.removeAuthNote(name);
    }

    @Override
    public void clearAuthNotes() {
        delegate.clearAuthNotes();
    }

    @Override
    public String getClientNote(String name) {
        return delegate.getClientNote(name);
    }

    @Override
    public void setClientNote(String name, String value) {
        delegate.setClientNote(name, value);
    }

    @Override
    public void removeClientNote(String name) {
        delegate.removeClientNote(name);
    }

    @Override
    public Map<String, String> getClientNotes() {
        return delegate.getClientNotes();
    }

    @Override
    public void clearClientNotes() {
        delegate.clearClientNotes();
    }

    @Override
    public Set<String> getClientScopes() {
        return delegate.getClientScopes();
    }

    @Override
    public void setClientScopes(Set<String> clientScopes) {
        delegate.setClientScopes(clientScopes);
    }

    @Override
    public String getRedirectUri() {
        return delegate.getRedirectUri();
    }

    @Override
    public void setRedirectUri(String uri) {
        delegate.setRedirectUri(uri);
    }

    @Override
    public RealmModel getRealm() {
        return delegate.getRealm();
    }

    @Override
    public ClientModel getClient() {
        return delegate.getClient();
    }

    @Override
    public String getAction() {
        return delegate.getAction();
    }

    @Override
    public void setAction(String action) {
        delegate.setAction(action);
    }

    @Override
    public String getProtocol() {
        return delegate.getProtocol();
    }

    @Override
    public void setProtocol(String method) {
        delegate.setProtocol(method);
    }

    /** Like Keycloak's own: two objects are equal if they are of the same tab. */
    @Override
    public boolean equals(Object other) {
        return other instanceof AuthenticationSessionModel that
                && that.getTabId().equals(getTabId());
    }

    @Override
    public int hashCode() {
        return getTabId().hashCode();
    }
}
