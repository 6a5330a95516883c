package io.github.checktoken.login.gate;

import java.util.List;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.broker.provider.AbstractIdentityProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;

/** The first login of an identity, which is not linked to a user yet. Its flow finds the user, or creates one. */
final class FirstBrokerLogin {

    private FirstBrokerLogin() {}

    /**
     * An identity whose first login has begun belongs to somebody who is not known yet. Once the browser has left the pages
     * of the first login for the login page, whoever signs in there has not been asked about it.
     */
    static void endOnOtherPage(AuthenticationSessionModel authSession, BrowserRequest request) {
        if (authSession.getAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE) != null
                && (request.isForPage(LoginActionsService.AUTHENTICATE_PATH)
                        || request.isForPage(LoginActionsService.REGISTRATION_PATH))) {
            List.of(
                            AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE,
                            AbstractIdpAuthenticator.NESTED_FIRST_BROKER_CONTEXT,
                            AbstractIdpAuthenticator.EXISTING_USER_INFO,
                            AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS)
                    .forEach(authSession::removeAuthNote);
        }
    }

    static boolean hasCreatedUser(AuthenticationSessionModel authSession) {
        return Boolean.parseBoolean(authSession.getAuthNote(AbstractIdentityProvider.BROKER_REGISTERED_NEW_USER));
    }

    /** Whether the user is the one whom the flow has found. */
    static boolean hasFoundUser(KeycloakSession session, AuthenticationSessionModel authSession) {
        return authSession.getAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO) != null
                && AbstractIdpAuthenticator.getExistingUser(session, authSession.getRealm(), authSession)
                        .equals(authSession.getAuthenticatedUser());
    }
}
