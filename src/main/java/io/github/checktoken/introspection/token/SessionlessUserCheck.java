package io.github.checktoken.introspection.token;

import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.representations.AccessToken;

/**
 * Checks the user of a token without a session. Keycloak finds that user by claims that the service provider's mappers
 * can set. So such a token is accepted only for a service account, or for the user of whom the identity provider's
 * assertion was (RFC 7523). A token that a client got for itself (RFC 6749 section 4.4) is accepted only for the client's
 * own service account.
 */
final class SessionlessUserCheck {

    private SessionlessUserCheck() {}

    /** @return why the token is rejected; empty if it is accepted */
    static Optional<String> rejection(
            KeycloakSession session,
            AccessTokenContext context,
            AccessToken token,
            UserModel user,
            ClientModel serviceProvider) {
        if (OAuth2Constants.JWT_AUTHORIZATION_GRANT.equals(context.getGrantType())) {
            return new GrantedUserStore(session).isUser(token.getId(), user.getId())
                    ? Optional.empty()
                    : Optional.of("Without a session, and its user is not the one of the grant");
        }
        String account = user.getServiceAccountClientLink();
        // A client can exchange the token of another one's service account.
        boolean own = !OAuth2Constants.CLIENT_CREDENTIALS.equals(context.getGrantType())
                || serviceProvider.getId().equals(account);
        return account != null && own
                ? Optional.empty()
                : Optional.of("Without a session, and not its client's service account");
    }
}
