package io.github.checktoken.login.gate.provider;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.authentication.authenticators.broker.util.SerializedBrokeredIdentityContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;

import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.LoginRedirect;

/** Goes on with the first login at a provider that has waited for a reset of the password ({@link WaitingIdentity}). */
public record LoginAfterReset(KeycloakSession session, BrowserRequest request) {

    /**
     * Called when a flow has passed. If it was a reset of the password, the first login that waits for it goes on.
     *
     * @throws WebApplicationException with a redirect
     */
    public void goOn(AuthenticationSessionModel authSession) {
        UserModel user = authSession.getAuthenticatedUser();
        WaitingIdentity waiting = new WaitingIdentity(authSession);
        boolean isReset = LoginActionsService.RESET_CREDENTIALS_PATH.equals(
                authSession.getAuthNote(AuthenticationProcessor.CURRENT_FLOW_PATH));
        if (user != null
                && isReset
                && waiting.isFor(user)
                && new LoginEvidence(session, authSession).identifiesUserInThisLogin()) {
            waiting.goOn(user);
            throw new LoginRedirect(session).to(LoginActionsService.FIRST_BROKER_LOGIN_PATH, authSession);
        }
    }

    /**
     * Called when a required action has passed. If the new password was the last one, and the first login has not searched
     * for the account, it goes on with its form for the name and the password, which says what is linked.
     *
     * @throws WebApplicationException with a redirect
     */
    public void goOnAfterAction(AuthenticationSessionModel authSession) {
        UserModel user = authSession.getAuthenticatedUser();
        WaitingIdentity waiting = new WaitingIdentity(authSession);
        if (user != null
                && request.isForPage(LoginActionsService.REQUIRED_ACTION)
                && waiting.isForAnybody()
                && authSession.getRequiredActions().isEmpty()
                && user.getRequiredActionsStream().findAny().isEmpty()) {
            waiting.goOn();
            authSession.setAction(Action.AUTHENTICATE.name());
            throw new LoginRedirect(session).to(LoginActionsService.FIRST_BROKER_LOGIN_PATH, authSession);
        }
    }

    /**
     * Called when a step has passed. If the owner of the account has confirmed the link after the reset of the password,
     * nothing else is asked.
     *
     * @throws WebApplicationException with a redirect to where Keycloak links
     */
    public void linkIfConfirmed(AuthenticationSessionModel authSession, String execution) {
        if (request.isForPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH)
                && UnfinishedBrokerLogin.isOpen(authSession)
                && new WaitingIdentity(authSession).isConfirmedBy(authSession.getAuthenticatedUser(), execution)) {
            authSession.setAuthNote(
                    AbstractIdpAuthenticator.FIRST_BROKER_LOGIN_SUCCESS,
                    SerializedBrokeredIdentityContext.readFromAuthenticationSession(
                                    authSession, AbstractIdpAuthenticator.BROKERED_CONTEXT_NOTE)
                            .getIdentityProviderId());
            throw LoginRedirect.with(LoginActionsService.redirectToAfterBrokerLoginEndpoint(
                    session, authSession.getRealm(), session.getContext().getUri(), authSession, true));
        }
    }
}
