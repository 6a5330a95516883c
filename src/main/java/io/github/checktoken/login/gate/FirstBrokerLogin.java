package io.github.checktoken.login.gate;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.broker.provider.AbstractIdentityProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

/** The first login of an identity, which is not linked to a user yet. Its flow finds the user, or creates one. */
final class FirstBrokerLogin {

    private FirstBrokerLogin() {}

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
