package io.github.checktoken.login.gate.provider;

import java.util.List;

import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpConfirmOverrideLinkAuthenticator;
import org.keycloak.authentication.authenticators.broker.IdpEmailVerificationAuthenticator;
import org.keycloak.authentication.authenticators.broker.util.PostBrokerLoginConstants;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resources.IdentityBrokerService;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;

import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.RequestWrites;

/**
 * A login at an identity provider whose first login flow or post login flow has not ended. Its person is not known yet, or
 * has not been asked all that the flow asks. So it ends when another login begins instead, on the login page, by a reset
 * or at another provider: whoever signs in there has not been asked about the identity.
 */
public record UnfinishedBrokerLogin(KeycloakSession session, BrowserRequest request) {

    /** The identity, and the levels, which the flow may have reached before its last step. */
    private static final List<String> NOTES = List.of(
            AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE,
            AbstractIdpAuthenticator.NESTED_FIRST_BROKER_CONTEXT,
            AbstractIdpAuthenticator.EXISTING_USER_INFO,
            IdpConfirmOverrideLinkAuthenticator.OVERRIDE_LINK,
            AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS,
            PostBrokerLoginConstants.PBL_BROKERED_IDENTITY_CONTEXT,
            PostBrokerLoginConstants.PBL_AFTER_FIRST_BROKER_LOGIN,
            Constants.LEVEL_OF_AUTHENTICATION,
            Constants.LOA_MAP,
            WaitingIdentity.NOTE,
            WaitingIdentity.OWNER);

    /** @return what goes on when the password was reset meanwhile */
    public LoginAfterReset afterReset() {
        return new LoginAfterReset(session, request);
    }

    /** Whether the request is the answer of a provider, or one that follows it. */
    public boolean isCallback() {
        return request.isForProvider();
    }

    /** Whether the request is the answer of a provider itself. */
    public boolean isAnswerOfProvider() {
        return request.isAnswerOfProvider();
    }

    /** Whether Keycloak resets the flow to begin the first login of the same identity anew, at one of its own steps. */
    public boolean beginsAnew(AuthenticationSessionModel authSession) {
        return request.isForPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH) && isOpen(authSession);
    }

    /** Whether it waits for the steps of the post login flow. */
    public static boolean waitsForSteps(AuthenticationSessionModel authSession) {
        return authSession.getAuthNote(PostBrokerLoginConstants.PBL_BROKERED_IDENTITY_CONTEXT) != null;
    }

    /**
     * Called when a request has found this session. During a reset of the password the identity waits ({@link
     * WaitingIdentity}), because somebody else can have left it in this tab. Every other login ends it.
     */
    public void endIfAnotherLoginBegins(AuthenticationSessionModel authSession) {
        WaitingIdentity waiting = new WaitingIdentity(authSession);
        boolean isActionDue = !Action.AUTHENTICATE.name().equals(authSession.getAction());
        if (waiting.isThere() && !isActionDue && request.isForPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH)) {
            waiting.goOn();
        } else if (waiting.isThere() && request.isForProvider()) {
            end(authSession);
        }
        if (!request.isForFlow() && !isLinkOfAnotherLogin(authSession)) {
            return;
        }
        if (request.isForPage(LoginActionsService.RESET_CREDENTIALS_PATH) && !request.isForLink()) {
            waiting.putAside();
        } else {
            end(authSession);
        }
        // Otherwise, the time at the provider would be told of the login that begins here.
        // Keycloak shows none of these pages while an action of the person is due.
        if (!isActionDue && authSession.getClientNote(TimeAtProvider.NOTE) != null) {
            authSession.removeClientNote(TimeAtProvider.NOTE);
        }
    }

    private boolean isLinkOfAnotherLogin(AuthenticationSessionModel authSession) {
        return request.isForLink()
                && authSession.getAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE) != null
                && !AccountLinkMail.isFor(authSession, session);
    }

    /**
     * Called when the answer of a provider sets the user, who is linked to that identity. Keycloak would link an identity
     * whose first login has not ended, too, without asking the user about it.
     */
    public void endForLinkedUser(AuthenticationSessionModel authSession, RequestWrites writes) {
        if (isOpen(authSession)) {
            end(authSession);
            if (!writes.hasWrittenClientNote(TimeAtProvider.NOTE)) {
                authSession.removeClientNote(TimeAtProvider.NOTE);
            }
        }
    }

    /** Called before a page is noted. The callback of a provider that refuses shows the login page, too. */
    public void endIfLoginPageFollows(AuthenticationSessionModel authSession) {
        if (!request.isForLoginActions()) {
            end(authSession);
        }
    }

    /** Whether this note says that the owner of an account has agreed to a link, and this first login is about another one. */
    public boolean isAgreementToAnother(AuthenticationSessionModel authSession, String note) {
        return IdpEmailVerificationAuthenticator.VERIFY_ACCOUNT_IDP_USERNAME.equals(note)
                && !AccountLinkMail.isFor(authSession, session);
    }

    /** Whether this note is removed because a link that the user has requested is made now. */
    public boolean linksOnRequest(String note) {
        return IdentityBrokerService.LINKING_IDENTITY_PROVIDER.equals(note) && !request.isForLoginActions();
    }

    /** Whether this note has the time of a login at a provider, although this is not the callback of one. */
    public boolean isTimeOfAnotherTab(String clientNote) {
        return TimeAtProvider.NOTE.equals(clientNote) && request.isForLoginActions();
    }

    /** Ends it, if there is one: its notes go. */
    public static void end(AuthenticationSessionModel authSession) {
        if (isOpen(authSession) || new WaitingIdentity(authSession).isThere()) {
            NOTES.forEach(authSession::removeAuthNote);
        }
    }

    static boolean isOpen(AuthenticationSessionModel authSession) {
        return waitsForSteps(authSession)
                || authSession.getAuthNote(AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE) != null;
    }
}
