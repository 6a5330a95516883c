package io.github.checktoken.login.evidence;

import java.util.Set;

import org.keycloak.authentication.actiontoken.execactions.ExecuteActionsActionToken;
import org.keycloak.authentication.actiontoken.idpverifyemail.IdpVerifyAccountLinkActionToken;
import org.keycloak.authentication.actiontoken.inviteorg.InviteOrgActionToken;
import org.keycloak.authentication.actiontoken.updateemail.UpdateEmailActionToken;
import org.keycloak.authentication.actiontoken.verifyemail.VerifyEmailActionToken;
import org.keycloak.jose.jws.JWSInput;
import org.keycloak.jose.jws.JWSInputException;
import org.keycloak.models.Constants;
import org.keycloak.models.DefaultActionTokenKey;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oid4vc.issuance.requiredactions.CredentialOfferActionToken;
import org.keycloak.representations.JsonWebToken;
import org.keycloak.sessions.AuthenticationSessionModel;

/** The link of a mail that was opened in a login. Keycloak has verified it before it notes it (LoginActionsService). */
public final class MailLink {

    /** The types of links that are not there to sign in: an administrator's, and those that confirm something. */
    private static final Set<String> FOR_ONE_ACTION = Set.of(
            ExecuteActionsActionToken.TOKEN_TYPE,
            IdpVerifyAccountLinkActionToken.TOKEN_TYPE,
            InviteOrgActionToken.TOKEN_TYPE,
            UpdateEmailActionToken.TOKEN_TYPE,
            VerifyEmailActionToken.TOKEN_TYPE,
            // Keycloak 26.5 has no such class: the compiler puts the text in its place.
            CredentialOfferActionToken.TOKEN_TYPE);

    private MailLink() {}

    public static boolean isOf(UserModel user, AuthenticationSessionModel authSession) {
        return user.getId().equals(authSession.getAuthNote(DefaultActionTokenKey.ACTION_TOKEN_USER_ID));
    }

    /** @return false for a link of another extension, which may be there to sign in */
    static boolean isForOneActionOf(UserModel user, AuthenticationSessionModel authSession) {
        return isOf(user, authSession) && isForOneAction(authSession);
    }

    /** Forgets that a link was opened, unless it is there to sign in. Until it is opened again, it identifies nobody. */
    public static void forgetIfForOneAction(AuthenticationSessionModel authSession) {
        if (authSession.getAuthNote(DefaultActionTokenKey.ACTION_TOKEN_USER_ID) != null
                && isForOneAction(authSession)) {
            authSession.removeAuthNote(DefaultActionTokenKey.ACTION_TOKEN_USER_ID);
        }
    }

    private static boolean isForOneAction(AuthenticationSessionModel authSession) {
        String token = authSession.getAuthNote(Constants.KEY);
        try {
            return token != null
                    && FOR_ONE_ACTION.contains(new JWSInput(token)
                            .readJsonContent(JsonWebToken.class)
                            .getType());
        } catch (JWSInputException e) {
            return false;
        }
    }
}
