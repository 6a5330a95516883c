package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;

import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/**
 * Forwards to Keycloak's own authentication session what reads it, and what writes the client's request and the state of
 * the login. What writes about the user is left to the subclass.
 */
abstract class ForwardingAuthenticationSession implements AuthenticationSessionModel {

    final AuthenticationSessionModel delegate;
    final PersonBoundRootAuthenticationSession parent;

    ForwardingAuthenticationSession(AuthenticationSessionModel delegate, PersonBoundRootAuthenticationSession parent) {
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
    public UserModel getAuthenticatedUser() {
        return delegate.getAuthenticatedUser();
    }

    @Override
    public Set<String> getRequiredActions() {
        return delegate.getRequiredActions();
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
    public Map<String, String> getUserSessionNotes() {
        return delegate.getUserSessionNotes();
    }

    @Override
    public String getAuthNote(String name) {
        return delegate.getAuthNote(name);
    }

    @Override
    public String getClientNote(String name) {
        return delegate.getClientNote(name);
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
