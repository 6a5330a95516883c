package io.github.checktoken.login.gate;

import java.util.Collection;
import java.util.Optional;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import io.github.checktoken.login.evidence.ContinuedUserSession;
import io.github.checktoken.login.evidence.JsonNote;

/**
 * Binds a root authentication session to the one user session that has its id, so that the id is never used again.
 *
 * <p>Keycloak gives a user session the id of its root authentication session, which can exist longer. An id belongs to one
 * user session for ever: codes, devices and offline sessions refer to it. So each tab notes the user session. This needs no
 * hook in any of the ways in which a session ends.
 */
record SessionIdBinding(KeycloakSession session, RootAuthenticationSessionModel root) {

    static final String NOTE = "checktoken.session";

    /**
     * Whether no login of this browser may end with this id: a user session has it that has ended, or that the browser does
     * not hold with its identity cookie. Somebody who knows the id of another person's session must not join it.
     */
    boolean isUsedUp() {
        Optional<UserSessionReference> bound = reference();
        return bound.isPresent() && !bound.equals(ofBrowser());
    }

    /**
     * Whether a login that ends now would join a session that the browser does not hold. This asks for the session itself,
     * because another tab may end its login at the same moment.
     */
    boolean joinsAnother() {
        Optional<UserSessionReference> live = liveUserSession().map(UserSessionReference::to);
        return live.isPresent() && !live.equals(ofBrowser());
    }

    private Optional<UserSessionReference> ofBrowser() {
        return ContinuedUserSession.of(session, root.getRealm())
                .filter(continued -> continued.getId().equals(root.getId()))
                .map(UserSessionReference::to);
    }

    /** Binds a tab that was just created, in the same way as the other tabs. */
    void bindNewTab(AuthenticationSessionModel tab) {
        reference().ifPresent(bound -> write(tab, bound));
    }

    /** Binds a tab that was just created in a root authentication session for a user session that existed before it. */
    void bindFirstTab(AuthenticationSessionModel tab) {
        liveUserSession().ifPresent(userSession -> write(tab, UserSessionReference.to(userSession)));
    }

    /** Binds the open tabs to the user session of a login. */
    void bind(UserSessionModel userSession) {
        UserSessionReference reference = UserSessionReference.to(userSession);
        tabs().forEach(tab -> write(tab, reference));
    }

    /** @return the user session to which this root authentication session is bound */
    Optional<UserSessionReference> reference() {
        return tabs().stream()
                .map(tab -> JsonNote.read(tab.getAuthNote(NOTE), UserSessionReference.class))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<UserSessionModel> liveUserSession() {
        RealmModel realm = root.getRealm();
        return Optional.ofNullable(session.sessions().getUserSession(realm, root.getId()))
                .filter(userSession -> userSession.getUser() != null)
                .filter(userSession -> AuthenticationManager.isSessionValid(realm, userSession));
    }

    private Collection<AuthenticationSessionModel> tabs() {
        return root.getAuthenticationSessions().values();
    }

    private static void write(AuthenticationSessionModel tab, UserSessionReference reference) {
        String note = JsonNote.write(reference);
        if (!note.equals(tab.getAuthNote(NOTE))) {
            tab.setAuthNote(NOTE, note);
        }
    }
}
