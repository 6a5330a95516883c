package io.github.checktoken.login.gate;

import org.keycloak.authentication.actiontoken.idpverifyemail.IdpVerifyAccountLinkActionToken;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.util.ExistingUserInfo;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

/**
 * The link of a mail with which the owner of an account agrees that an identity is linked to it. The link may be opened in
 * another browser, and the first login may have begun anew since the mail was sent.
 */
final class AccountLinkMail {

    private AccountLinkMail() {}

    /**
     * Whether the link that this request opens is about the account and the provider of this first login. Keycloak has
     * verified the link.
     */
    static boolean isFor(AuthenticationSessionModel authSession, KeycloakSession session) {
        String link = session.getContext().getUri().getQueryParameters().getFirst(Constants.KEY);
        String account = authSession.getAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO);
        SerializedBrokeredIdentityContext identity = SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                authSession, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE);
        if (link == null || account == null || identity == null) {
            return false;
        }
        try {
            IdpVerifyAccountLinkActionToken token =
                    new JWSInput(link).readJsonContent(IdpVerifyAccountLinkActionToken.class);
            return ExistingUserInfo.deserialize(account).getExistingUserId().equals(token.getUserId())
                    && identity.getIdentityProviderId().equals(token.getIdentityProviderAlias());
        } catch (JWSInputException e) {
            return false;
        }
    }
}
