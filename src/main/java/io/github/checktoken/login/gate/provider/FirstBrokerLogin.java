package io.github.checktoken.login.gate.provider;

import java.util.List;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpAutoLinkAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpCreateUserIfUniqueAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpEmailVerificationAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpEmailVerificationAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.broker.provider.AbstractIdentityProvider;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.keycloak.AccountLinkAgreement;
import io.github.checktoken.login.evidence.IdentityProviderLogin;

/** The first login of an identity, which is not linked to a user yet. Its flow finds the user, or creates one. */
public final class FirstBrokerLogin {

    /** Keycloak notes so in a review that the name or the address is not what the provider has told. */
    public static final List<String> NOTES_OF_REVIEW = List.of(
            AbstractIdentityProvider.UPDATE_PROFILE_USERNAME_CHANGED,
            AbstractIdentityProvider.UPDATE_PROFILE_EMAIL_CHANGED);

    private FirstBrokerLogin() {}

    /** Whether the account is new, so that nobody else can have anything in it. */
    public static boolean hasCreatedUser(AuthenticationSessionModel authSession) {
        return Boolean.parseBoolean(authSession.getAuthNote(AbstractIdentityProvider.BROKER_REGISTERED_NEW_USER));
    }

    /**
     * Whether this step has passed although nobody has agreed to this identity: the link of the mail was not opened, or it
     * was opened for an identity that cannot be told from this one, because Keycloak notes no id of them, or the existing
     * user is taken by a name or an address that the provider has not told, because it was typed in a review, or the first
     * login was left.
     */
    public static boolean isWithoutAgreement(
            AuthenticationSessionModel authSession, AuthenticationExecutionModel step) {
        return switch (step.getAuthenticator()) {
            case IdpEmailVerificationAuthenticatorFactory.PROVIDER_ID ->
                hasEnded(authSession)
                        || authSession.getAuthNote(IdpEmailVerificationAuthenticator.VERIFY_ACCOUNT_IDP_USERNAME)
                                == null;
            case IdpCreateUserIfUniqueAuthenticatorFactory.PROVIDER_ID -> {
                SerializedBrokeredIdentityContext identity =
                        SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                                authSession, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE);
                yield hasEnded(authSession)
                        || !hasCreatedUser(authSession)
                                && identity != null
                                && (identity.getBrokerUserId() == null || !AccountLinkAgreement.namesIdentity());
            }
            case IdpAutoLinkAuthenticatorFactory.PROVIDER_ID ->
                hasEnded(authSession)
                        || NOTES_OF_REVIEW.stream()
                                .map(authSession::getAuthNote)
                                .anyMatch(Boolean::parseBoolean);
            default -> false;
        };
    }

    /** Whether the login at the provider was left for the login page, and has not signed anybody in. */
    private static boolean hasEnded(AuthenticationSessionModel authSession) {
        return !UnfinishedBrokerLogin.isOpen(authSession) && IdentityProviderLogin.alias(authSession) == null;
    }
}
