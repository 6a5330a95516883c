package io.github.checktoken.login.gate.provider;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpConfirmLinkAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpCreateUserIfUniqueAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpDetectExistingBrokerUserAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpReviewProfileAuthenticatorFactory;
import org.keycloak.authentication.authenticators.broker.IdpUsernamePasswordFormFactory;
import org.keycloak.authentication.authenticators.broker.util.ExistingUserInfo;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

/**
 * An identity whose first login waits while the person resets the password of the account to which it would be linked.
 * Keycloak would link it with the reset alone. But somebody else may have left the identity in this tab, so who has reset
 * the password is asked to confirm the link, as in each first login.
 */
record WaitingIdentity(AuthenticationSessionModel authSession) {

    static final String NOTE = "checktoken.waiting.identity";

    /** The id of the account's owner, who has reset the password. */
    static final String OWNER = "checktoken.waiting.owner";

    private static final Set<String> STEPS_BEFORE_CONFIRMATION = Set.of(
            IdpReviewProfileAuthenticatorFactory.PROVIDER_ID,
            IdpCreateUserIfUniqueAuthenticatorFactory.PROVIDER_ID,
            IdpDetectExistingBrokerUserAuthenticatorFactory.PROVIDER_ID);

    /**
     * Called when the page for a reset is opened. Keycloak fills in the name of the existing account there, if the first
     * login has found one. If it has not asked to confirm the link, or for the password of any account, it ends.
     */
    void putAside() {
        String identity = authSession.getAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE);
        String account = account();
        boolean asks = hasShown(
                account == null
                        ? IdpUsernamePasswordFormFactory.PROVIDER_ID
                        : IdpConfirmLinkAuthenticatorFactory.PROVIDER_ID);
        if (identity == null && isThere()) {
            return;
        }
        UnfinishedBrokerLogin.end(authSession);
        if (identity != null && asks) {
            authSession.setAuthNote(NOTE, identity);
        }
        if (isThere() && account != null) {
            authSession.setAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO, account);
        }
    }

    boolean isThere() {
        return authSession.getAuthNote(NOTE) != null;
    }

    /** Whether the first login has not searched for an account. It asks for the name and the password of one. */
    boolean isForAnybody() {
        return isThere() && account() == null;
    }

    private String account() {
        return authSession.getAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO);
    }

    boolean isFor(UserModel user) {
        String account = isThere() ? account() : null;
        return account != null
                && user.getId().equals(ExistingUserInfo.deserialize(account).getExistingUserId());
    }

    /** The person has left the reset, or the first login has to ask for the account. */
    void goOn() {
        goOnAtConfirmation();
        authSession.setAuthenticatedUser(null);
    }

    /** The person has reset the password. */
    void goOn(UserModel owner) {
        goOnAtConfirmation();
        authSession.setAuthNote(OWNER, owner.getId());
    }

    private void goOnAtConfirmation() {
        authSession.setAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE, authSession.getAuthNote(NOTE));
        authSession.removeAuthNote(NOTE);
        Map<String, ExecutionStatus> before = authSession.getExecutionStatus().entrySet().stream()
                .filter(step -> STEPS_BEFORE_CONFIRMATION.contains(authenticator(step.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        authSession.clearExecutionStatus();
        before.forEach(authSession::setExecutionStatus);
    }

    /** Whether this step asks for the confirmation, and needs no other proof of the account after the reset. */
    boolean isConfirmedBy(UserModel owner, String execution) {
        return owner != null
                && owner.getId().equals(authSession.getAuthNote(OWNER))
                && IdpConfirmLinkAuthenticatorFactory.PROVIDER_ID.equals(authenticator(execution));
    }

    private boolean hasShown(String step) {
        return authSession.getExecutionStatus().keySet().stream()
                .map(this::authenticator)
                .anyMatch(step::equals);
    }

    private String authenticator(String execution) {
        AuthenticationExecutionModel step = authSession.getRealm().getAuthenticationExecutionById(execution);
        // A sub-flow has none.
        return step == null || step.getAuthenticator() == null ? "" : step.getAuthenticator();
    }
}
