package io.github.checktoken.login.amr;

import java.util.Optional;

import org.keycloak.events.Details;
import org.keycloak.events.Event;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.RootAuthenticationSessionModel;

/**
 * Finds the authentication session of the login that a request carries on. If the same request ends other sessions of the
 * person, Keycloak leaves the authentication session of that <em>logout</em> in its context, until the request ends.
 */
final class LoginAuthenticationSession {

    private static final String REMEMBERED = LoginAuthenticationSession.class.getName();

    private LoginAuthenticationSession() {}

    /** @return empty if the request carries on no login, or if its authentication session is not known any more */
    static Optional<AuthenticationSessionModel> of(KeycloakSession session) {
        AuthenticationSessionModel current = session.getContext().getAuthenticationSession();
        return current == null || isLogout(current)
                ? Optional.ofNullable(session.getAttribute(REMEMBERED, AuthenticationSessionModel.class))
                : Optional.of(current);
    }

    /**
     * Called when a session has been ended. If a login did that, its authentication session still exists, and the event
     * of the logout names it: Keycloak copies its details from the event of the login.
     */
    static void rememberAfter(Event logout, KeycloakSession session) {
        AuthenticationSessionModel current = session.getContext().getAuthenticationSession();
        String root = logout.getDetails() == null ? null : logout.getDetails().get(Details.CODE_ID);
        if (current != null && root != null && isLogout(current)) {
            find(session, root, logout.getClientId()).ifPresent(login -> session.setAttribute(REMEMBERED, login));
        }
    }

    private static Optional<AuthenticationSessionModel> find(KeycloakSession session, String rootId, String clientId) {
        RootAuthenticationSessionModel root = session.authenticationSessions()
                .getRootAuthenticationSession(session.getContext().getRealm(), rootId);
        String tab = session.getContext().getUri().getQueryParameters().getFirst(Constants.TAB_ID);
        return root == null || tab == null
                ? Optional.empty()
                : Optional.ofNullable(root.getAuthenticationSessions().get(tab))
                        .filter(login -> !isLogout(login)
                                && login.getClient().getClientId().equals(clientId));
    }

    private static boolean isLogout(AuthenticationSessionModel authSession) {
        String action = authSession.getAction();
        return Action.LOGGING_OUT.name().equals(action)
                || Action.LOGGED_OUT.name().equals(action);
    }
}
