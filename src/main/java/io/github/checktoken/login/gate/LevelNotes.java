package io.github.checktoken.login.gate;

import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.evidence.ContinuedUserSession;
import io.github.checktoken.login.gate.request.BrowserRequest;

/** The levels of authentication that Keycloak notes in an authentication session, and that do not count there. */
record LevelNotes(KeycloakSession session, BrowserRequest request) {

    /** A level that a client policy promises for the login page counts on that page only. */
    boolean isOfAnotherPage(String note) {
        return Constants.AUTHENTICATION_FLOW_LEVEL_OF_AUTHENTICATION.equals(note)
                && request.isForLoginActions()
                && !request.isForPage(LoginActionsService.AUTHENTICATE_PATH);
    }

    /**
     * Whether these are the levels of the session whose cookie the browser has sent, and another user is set. Keycloak's
     * cookie authenticator notes them before it finds out.
     */
    boolean isOfAnotherUser(AuthenticationSessionModel authSession, String note, String levels) {
        UserModel user = Constants.LOA_MAP.equals(note) ? authSession.getAuthenticatedUser() : null;
        return user != null
                && levels != null
                && ContinuedUserSession.of(session, authSession.getRealm())
                        .filter(other -> !user.equals(other.getUser()))
                        .map(other -> other.getNote(Constants.LOA_MAP))
                        .filter(levels::equals)
                        .isPresent();
    }
}
