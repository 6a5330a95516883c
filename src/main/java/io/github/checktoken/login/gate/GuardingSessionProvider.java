package io.github.checktoken.login.gate;

import java.util.Map;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.sessions.AuthenticationSessionCompoundId;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.login.gate.lock.TabLocks;

/**
 * Gives Keycloak its own authentication sessions in realms that are not guarded, and in the others those that are bound to
 * a person ({@link PersonBoundSessions}).
 */
final class GuardingSessionProvider implements AuthenticationSessionProvider {

    private final KeycloakSession session;
    private final AuthenticationSessionProvider delegate;
    private final TabLocks locks;
    private PersonBoundSessions guarded;

    GuardingSessionProvider(KeycloakSession session, AuthenticationSessionProvider delegate, TabLocks locks) {
        this.session = session;
        this.delegate = delegate;
        this.locks = locks;
    }

    /** @return null if the realm is not guarded */
    private PersonBoundSessions guarded(RealmModel realm) {
        if (!new LoginGuard(session).isOn(realm)) {
            return null;
        }
        if (guarded == null) {
            guarded = new PersonBoundSessions(session, delegate, locks);
        }
        return guarded;
    }

    @Override
    public RootAuthenticationSessionModel createRootAuthenticationSession(RealmModel realm) {
        PersonBoundSessions bound = guarded(realm);
        return bound == null ? delegate.createRootAuthenticationSession(realm) : bound.create(realm);
    }

    @Override
    public RootAuthenticationSessionModel createRootAuthenticationSession(RealmModel realm, String id) {
        PersonBoundSessions bound = guarded(realm);
        return bound == null ? delegate.createRootAuthenticationSession(realm, id) : bound.create(realm, id);
    }

    @Override
    public RootAuthenticationSessionModel getRootAuthenticationSession(RealmModel realm, String id) {
        PersonBoundSessions bound = guarded(realm);
        return bound == null ? delegate.getRootAuthenticationSession(realm, id) : bound.get(realm, id);
    }

    @Override
    public void removeRootAuthenticationSession(RealmModel realm, RootAuthenticationSessionModel root) {
        if (root instanceof PersonBoundRootAuthenticationSession bound) {
            guarded.remove(realm, bound);
        } else {
            delegate.removeRootAuthenticationSession(realm, root);
        }
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
        if (guarded != null) {
            guarded.close();
        }
    }
}
