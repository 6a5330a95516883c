package io.github.checktoken.login.gate.provider;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.util.ExistingUserInfo;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.sessions.AuthenticationSessionModel;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The link of a mail with which the owner of an account agrees that an identity is linked to it. The link may be opened in
 * another browser, and the first login may have begun anew since the mail was sent. Its claims are those of
 * {@code IdpVerifyAccountLinkActionToken}.
 */
public final class AccountLinkMail {

    private AccountLinkMail() {}

    /**
     * Whether the link that this request opens is about the account and the identity of this first login. Keycloak goes on
     * only with a link that it has verified.
     */
    public static boolean isFor(AuthenticationSessionModel authSession, KeycloakSession session) {
        String link = session.getContext().getUri().getQueryParameters().getFirst(Constants.KEY);
        String account = authSession.getAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO);
        SerializedBrokeredIdentityContext identity = SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                authSession, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE);
        if (link == null || account == null || identity == null) {
            return false;
        }
        try {
            JsonNode token = new JWSInput(link).readJsonContent(JsonNode.class);
            return ExistingUserInfo.deserialize(account)
                            .getExistingUserId()
                            .equals(token.path("sub").textValue())
                    && identity.getIdentityProviderId()
                            .equals(token.path("idpa").textValue())
                    && isOf(identity, token.path("idpuid").textValue());
        } catch (JWSInputException e) {
            return false;
        }
    }

    /** Two identities can have the same name. In Keycloak 26.5, the link tells nothing else of them. */
    private static boolean isOf(SerializedBrokeredIdentityContext identity, String id) {
        return id == null || id.equals(identity.getBrokerUserId());
    }
}
