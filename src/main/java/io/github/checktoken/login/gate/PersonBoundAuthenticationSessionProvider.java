package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionCompoundId;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/**
 * Gives Keycloak its own authentication sessions, {@linkplain PersonBoundAuthenticationSession bound to a person}, and
 * to one request at a time ({@link RequestLock}).
 */
final class PersonBoundAuthenticationSessionProvider implements AuthenticationSessionProvider {

    private final KeycloakSession session;
    private final KeycloakContext context;
    private final AuthenticationSessionProvider delegate;
    private final RequestLock lock;
    private final LoginGate gate;
    private final LevelNotes levels;
    private final UnfinishedBrokerLogin brokerLogin;
    private final Map<String, RequestWrites> writes = new HashMap<>();
    private AuthenticationSessionModel login;

    PersonBoundAuthenticationSessionProvider(
            KeycloakSession session, AuthenticationSessionProvider delegate, NodeLocks locks) {
        this.session = session;
        this.context = session.getContext();
        this.delegate = delegate;
        BrowserRequest request = new BrowserRequest(session);
        this.lock = new RequestLock(session, locks, request);
        this.gate = new LoginGate(session, request);
        this.levels = new LevelNotes(session, request);
        this.brokerLogin = new UnfinishedBrokerLogin(session, request);
    }

    @Override
    public RootAuthenticationSessionModel createRootAuthenticationSession(RealmModel realm) {
        return bind(delegate.createRootAuthenticationSession(realm), false);
    }

    @Override
    public RootAuthenticationSessionModel createRootAuthenticationSession(RealmModel realm, String id) {
        lock.acquire(realm, id);
        return bind(delegate.createRootAuthenticationSession(realm, id), true);
    }

    /** @return null as well if the user session that had this id has ended */
    @Override
    public RootAuthenticationSessionModel getRootAuthenticationSession(RealmModel realm, String id) {
        lock.acquire(realm, id);
        RootAuthenticationSessionModel root = delegate.getRootAuthenticationSession(realm, id);
        if (root != null && new SessionIdBinding(session, root).hasEnded()) {
            delegate.removeRootAuthenticationSession(realm, root);
            return null;
        }
        return root == null ? null : bind(root, false);
    }

    /**
     * A logout of another session has an authentication session of its own, which Keycloak leaves in the context. The
     * login that caused it goes on afterwards, so its authentication session is put back.
     */
    @Override
    public void removeRootAuthenticationSession(RealmModel realm, RootAuthenticationSessionModel root) {
        delegate.removeRootAuthenticationSession(
                realm, root instanceof PersonBoundRootAuthenticationSession bound ? bound.delegate : root);
        AuthenticationSessionModel current = context.getAuthenticationSession();
        if (current instanceof PersonBoundAuthenticationSession bound
                && bound.isLogout()
                && login != null
                && isOf(current, root)
                && !isOf(login, root)) {
            context.setAuthenticationSession(login);
        }
    }

    private RootAuthenticationSessionModel bind(RootAuthenticationSessionModel root, boolean forUserSession) {
        return new PersonBoundRootAuthenticationSession(
                root, this, new SessionIdBinding(session, root), forUserSession);
    }

    /** What this request has written is one for all objects of a tab. */
    PersonBoundAuthenticationSession bind(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        RequestWrites written = writes.computeIfAbsent(
                root.getId() + "." + tab.getTabId(),
                id -> new RequestWrites(tab.getAuthNote(PersonBoundAuthenticationSession.EPOCH)));
        return new PersonBoundAuthenticationSession(tab, root, lock, written, gate, levels, brokerLogin);
    }

    /** The login that the request goes on with. A logout of another session has a tab of its own. */
    AuthenticationSessionModel found(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        PersonBoundAuthenticationSession current = current(tab, root);
        if (!current.isLogout()) {
            gate.requireLoginMayEnd(current);
        }
        return current;
    }

    /** Keycloak's own session has put itself into the context, so it is replaced there. */
    PersonBoundAuthenticationSession current(
            AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        PersonBoundAuthenticationSession bound = bind(tab, root);
        brokerLogin.endIfAnotherLoginBegins(bound);
        context.setAuthenticationSession(bound);
        if (!bound.isLogout()) {
            login = bound;
        }
        return bound;
    }

    private static boolean isOf(AuthenticationSessionModel tab, RootAuthenticationSessionModel root) {
        return tab.getParentSession().getId().equals(root.getId());
    }

    @Override
    public void onRealmRemoved(RealmModel realm) {
        delegate.onRealmRemoved(realm);
    }

    @Override
    @SuppressWarnings("removal")
    public void onClientRemoved(RealmModel realm, ClientModel client) {
        delegate.onClientRemoved(realm, client);
    }

    @Override
    @SuppressWarnings("removal")
    public void removeAllExpired() {
        delegate.removeAllExpired();
    }

    @Override
    @SuppressWarnings("removal")
    public void removeExpired(RealmModel realm) {
        delegate.removeExpired(realm);
    }

    @Override
    @SuppressWarnings("removal")
    public void updateNonlocalSessionAuthNotes(AuthenticationSessionCompoundId id, Map<String, String> notes) {
        delegate.updateNonlocalSessionAuthNotes(id, notes);
    }

    @Override
    public void migrate(String modelVersion) {
        delegate.migrate(modelVersion);
    }

    /** Keycloak has committed by now, so the next request reads what this one has written. */
    @Override
    public void close() {
        lock.release();
    }
}
