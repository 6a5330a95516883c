package io.github.checktoken.login.gate;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import io.github.checktoken.login.gate.lock.RequestLock;
import io.github.checktoken.login.gate.lock.TabLocks;
import io.github.checktoken.login.gate.provider.UnfinishedBrokerLogin;
import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.NamedTabs;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * Keycloak's own authentication sessions, {@linkplain PersonBoundAuthenticationSession bound to a person}, and to one
 * request at a time ({@link RequestLock}).
 */
final class PersonBoundSessions {

    private final KeycloakSession session;
    private final KeycloakContext context;
    private final AuthenticationSessionProvider delegate;
    private final BrowserRequest request;
    private final NamedTabs tabs;
    private final RequestLock lock;
    private final LoginGate gate;
    private final LevelNotes levels;
    private final UnfinishedBrokerLogin brokerLogin;
    private final LoginBegunAnew begunAnew;
    private final Map<String, RequestWrites> writes = new HashMap<>();
    private AuthenticationSessionModel login;

    PersonBoundSessions(KeycloakSession session, AuthenticationSessionProvider delegate, TabLocks locks) {
        this.session = session;
        this.context = session.getContext();
        this.delegate = delegate;
        this.request = new BrowserRequest(session);
        this.tabs = new NamedTabs(session, request);
        this.lock = new RequestLock(session, locks, request);
        this.gate = new LoginGate(session, request);
        this.levels = new LevelNotes(session, request);
        this.brokerLogin = new UnfinishedBrokerLogin(session, request);
        this.begunAnew = new LoginBegunAnew(session, delegate);
    }

    RootAuthenticationSessionModel create(RealmModel realm) {
        lock.acquire(realm, null);
        return bind(delegate.createRootAuthenticationSession(realm), false);
    }

    RootAuthenticationSessionModel create(RealmModel realm, String id) {
        return bind(delegate.createRootAuthenticationSession(realm, id), true);
    }

    /**
     * @return a new one with another id for a login of a browser whose session of this id has ended or is that of another
     *     browser; then null, if the request names no tab and may show a page, and Keycloak makes a new one itself. If the
     *     request names a tab that is not there, nothing can be begun anew, and Keycloak says so
     */
    RootAuthenticationSessionModel get(RealmModel realm, String id) {
        lock.acquire(realm, id);
        RootAuthenticationSessionModel root = delegate.getRootAuthenticationSession(realm, id);
        if (root == null) {
            redirectIfPressedTwice(realm, null);
            return null;
        }
        PersonBoundRootAuthenticationSession bound = bind(root, false);
        if (!request.isForLogin() || !request.hasCookieOf(id) || !bound.binding.isUsedUp()) {
            return bound;
        }
        if (tabs.ids().isEmpty()) {
            return request.isSilent() ? begunAnew.replace(bound) : begunAnew.leave(bound);
        }
        return request.isForLink() || tabs.areIn(root) ? begunAnew.replace(bound) : bound;
    }

    /**
     * A logout of another session has an authentication session of its own, which Keycloak leaves in the context. The
     * login that caused it goes on afterwards, so its authentication session is put back.
     */
    void remove(RealmModel realm, PersonBoundRootAuthenticationSession root) {
        delegate.removeRootAuthenticationSession(realm, root.delegate);
        AuthenticationSessionModel current = context.getAuthenticationSession();
        if (current instanceof PersonBoundAuthenticationSession bound
                && bound.isLogout()
                && login != null
                && isOf(current, root)
                && !isOf(login, root)) {
            context.setAuthenticationSession(login);
        }
    }

    private PersonBoundRootAuthenticationSession bind(RootAuthenticationSessionModel root, boolean forUserSession) {
        return new PersonBoundRootAuthenticationSession(
                root, this, new SessionIdBinding(session, root), forUserSession);
    }

    /** What this request has written is one for all objects of a tab. */
    PersonBoundAuthenticationSession bind(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        RequestWrites written = writes.computeIfAbsent(root.getId() + "." + tab.getTabId(), id -> new RequestWrites());
        return new PersonBoundAuthenticationSession(tab, root, lock, written, gate, levels, brokerLogin);
    }

    /** The login that the request goes on with. A logout of another session has a tab of its own. */
    AuthenticationSessionModel found(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        lock.requireFor(root.getRealm(), root.getId(), tab.getTabId());
        PersonBoundAuthenticationSession current = current(tab, root);
        if (!current.isLogout()) {
            gate.requireLoginMayEnd(current);
        }
        return current;
    }

    /** Called for a tab that is not there. It may have been left behind, or its login may have ended just now. */
    AuthenticationSessionModel notFound(PersonBoundRootAuthenticationSession root, ClientModel client, String tabId) {
        begunAnew.redirectIfLeft(root, client, tabId);
        redirectIfPressedTwice(root.getRealm(), root);
        return null;
    }

    private void redirectIfPressedTwice(RealmModel realm, RootAuthenticationSessionModel root) {
        if (lock.hasWaited() && login == null && !request.isForLink()) {
            begunAnew.redirectIfPressedTwice(realm, root, tabs.clientId(realm));
        }
    }

    /** A request that names no tab has made its own, and shows no page. */
    void beginAnew(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        if (!tabs.ids().isEmpty()) {
            throw begunAnew.redirect(tab, begunAnew.replace(root));
        }
    }

    /** Called for a new tab. */
    AuthenticationSessionModel created(AuthenticationSessionModel tab, PersonBoundRootAuthenticationSession root) {
        begunAnew.noteLeftSession(tab, root);
        return current(tab, root);
    }

    /** Keycloak's own session has put itself into the context, so it is replaced there. */
    private PersonBoundAuthenticationSession current(
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

    void close() {
        lock.release();
    }
}
