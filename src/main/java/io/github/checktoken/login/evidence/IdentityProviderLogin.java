package io.github.checktoken.login.evidence;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.util.PostBrokerLoginConstants;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.events.Details;
import org.keycloak.models.FederatedIdentityModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.sessions.AuthenticationSessionModel;

/** The login at an identity provider through which a user signs in, as Keycloak has noted it. */
public final class IdentityProviderLogin {

    private IdentityProviderLogin() {}

    /**
     * Returns the alias of the provider through which the user signed in. Keycloak notes it when it has accepted the
     * identity.
     *
     * @return null also for a login that went to a provider and was then restarted, or that only links an account
     */
    public static String alias(AuthenticationSessionModel authSession) {
        return authSession.getUserSessionNotes().get(Details.IDENTITY_PROVIDER);
    }

    /**
     * As {@link #alias}, and also during the post login flow: Keycloak stores the identity for it, and notes the provider
     * afterwards.
     */
    static String aliasSoFar(AuthenticationSessionModel authSession) {
        SerializedBrokeredIdentityContext identity = waitingIdentity(authSession);
        return identity == null ? alias(authSession) : identity.getIdentityProviderId();
    }

    static boolean waitsForPostLoginFlow(AuthenticationSessionModel authSession) {
        return waitingIdentity(authSession) != null;
    }

    /** @return the identity that waits for the end of the post login flow; null if there is none */
    private static SerializedBrokeredIdentityContext waitingIdentity(AuthenticationSessionModel authSession) {
        return SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                authSession, PostBrokerLoginConstants.PBL_BROKERED_IDENTITY_CONTEXT);
    }

    /** Whether a provider has signed this user in during this login, with or without our mapper. */
    static boolean hasSignedIn(KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        SerializedBrokeredIdentityContext identity = waitingIdentity(authSession);
        String alias = aliasSoFar(authSession);
        FederatedIdentityModel link =
                alias == null ? null : session.users().getFederatedIdentity(authSession.getRealm(), user, alias);
        return link != null && (identity == null || link.getUserId().equals(identity.getId()));
    }

    /**
     * Finds the user's id at a provider. A transient user has no link, so for this user it is read from Keycloak's note
     * of who signed in, which contains the alias and the id for OpenID Connect.
     *
     * @return null if the user has no identity at this provider
     */
    static String idAtProvider(
            String alias, KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        if (LightweightUserAdapter.isLightweightUser(user)) {
            SerializedBrokeredIdentityContext identity = waitingIdentity(authSession);
            String brokerUserId = identity == null
                    ? authSession.getAuthNote(AuthenticationProcessor.BROKER_USER_ID)
                    : identity.getBrokerUserId();
            return brokerUserId != null && brokerUserId.startsWith(alias + ".")
                    ? brokerUserId.substring(alias.length() + 1)
                    : null;
        }
        FederatedIdentityModel link = session.users().getFederatedIdentity(authSession.getRealm(), user, alias);
        return link == null ? null : link.getUserId();
    }
}
