package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/** A root authentication session whose tabs are {@linkplain PersonBoundAuthenticationSession bound to a person}. */
final class PersonBoundRootAuthenticationSession implements RootAuthenticationSessionModel {

    final RootAuthenticationSessionModel delegate;
    final SessionIdBinding binding;
    private final PersonBoundSessions sessions;
    private final boolean forUserSession;

    /** @param forUserSession whether it was just created for a user session that may exist */
    PersonBoundRootAuthenticationSession(
            RootAuthenticationSessionModel delegate,
            PersonBoundSessions sessions,
            SessionIdBinding binding,
            boolean forUserSession) {
        this.delegate = delegate;
        this.sessions = sessions;
        this.binding = binding;
        this.forUserSession = forUserSession;
    }

    @Override
    public Map<String, AuthenticationSessionModel> getAuthenticationSessions() {
        Map<String, AuthenticationSessionModel> tabs = new HashMap<>();
        delegate.getAuthenticationSessions().forEach((tabId, tab) -> tabs.put(tabId, sessions.bind(tab, this)));
        return tabs;
    }

    @Override
    public AuthenticationSessionModel getAuthenticationSession(ClientModel client, String tabId) {
        AuthenticationSessionModel found = delegate.getAuthenticationSession(client, tabId);
        return found == null ? sessions.notFound(this, client, tabId) : sessions.found(found, this);
    }

    @Override
    public AuthenticationSessionModel createAuthenticationSession(ClientModel client) {
        AuthenticationSessionModel tab = delegate.createAuthenticationSession(client);
        if (forUserSession) {
            binding.bindFirstTab(tab);
        } else {
            binding.bindNewTab(tab);
        }
        return sessions.created(tab, this);
    }

    /**
     * Called when a flow has passed. Another browser may have signed in meanwhile, in another tab of this session.
     *
     * @throws jakarta.ws.rs.WebApplicationException with a redirect to the login, which begins anew
     */
    void requireNotUsedUp(AuthenticationSessionModel tab) {
        if (binding.isUsedUp() || binding.joinsAnother()) {
            sessions.beginAnew(tab, this);
        }
    }

    @Override
    public String getId() {
        return delegate.getId();
    }

    @Override
    public RealmModel getRealm() {
        return delegate.getRealm();
    }

    @Override
    public int getTimestamp() {
        return delegate.getTimestamp();
    }

    @Override
    public void setTimestamp(int timestamp) {
        delegate.setTimestamp(timestamp);
    }

    /** Keycloak removes a tab when its login ends, after it has read the user and before it issues anything. */
    @Override
    public void removeAuthenticationSessionByTabId(String tabId) {
        AuthenticationSessionModel tab = delegate.getAuthenticationSessions().get(tabId);
        if (tab != null) {
            sessions.bind(tab, this).requireInTime();
        }
        delegate.removeAuthenticationSessionByTabId(tabId);
    }

    @Override
    public void restartSession(RealmModel realm) {
        delegate.restartSession(realm);
    }
}
