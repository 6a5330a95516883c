package io.github.checktoken.login.gate;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.resetcred.ResetCredentialEmail;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;

import io.github.checktoken.login.evidence.IdentityProviderLogin;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.MailLink;
import io.github.checktoken.login.evidence.SingleSignOnAlone;
import io.github.checktoken.login.gate.provider.AccountLinkMail;
import io.github.checktoken.login.gate.provider.FirstBrokerLogin;
import io.github.checktoken.login.gate.provider.UnfinishedBrokerLogin;
import io.github.checktoken.login.gate.request.BrowserRequest;

/**
 * Refuses to go on with a login in which nothing shows that the user is at the browser.
 *
 * <p>It refuses only if it is sure, because each execution that has succeeded is one that proves nothing: a username was
 * typed, or a form was skipped. If another execution has succeeded, such as Kerberos or one of another extension, the
 * login goes on.
 */
final class LoginGate {

    private static final String CONSENT_PAGE = "consent";

    private final KeycloakSession session;
    private final BrowserRequest request;
    private final LoginRefusal refusal;

    LoginGate(KeycloakSession session, BrowserRequest request) {
        this.session = session;
        this.request = request;
        this.refusal = new LoginRefusal(session);
    }

    /**
     * Called when a flow has passed, before a required action is shown and before the login ends. If only the link of a
     * mail for one action identifies the user, the login ends with that action and signs nobody in, even if it began anew.
     *
     * @throws WebApplicationException with an error page if nothing was proved, or too long ago
     */
    void requireProof(AuthenticationSessionModel authSession) {
        requireInTime(authSession);
        UserModel user = authSession.getAuthenticatedUser();
        boolean passes = user == null
                || !isLoginInABrowser(authSession)
                || !UnfinishedBrokerLogin.waitsForSteps(authSession)
                        && (user instanceof LightweightUserAdapter
                                || IdentityProviderLogin.alias(authSession) != null
                                || isProvedOrUnknown(authSession));
        if (!passes) {
            throw refusal.ofNothingProved(authSession);
        }
        if (isLinkForOneActionAlone(authSession)) {
            authSession.setAuthNote(AuthenticationManager.END_AFTER_REQUIRED_ACTIONS, Boolean.TRUE.toString());
        }
        ImpersonatorNotes.copy(session, authSession);
        if (isSingleSignOnAlone(authSession)) {
            SingleSignOnAlone.note(authSession);
        }
    }

    private boolean isLinkForOneActionAlone(AuthenticationSessionModel authSession) {
        return !AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                && new LoginEvidence(session, authSession).isLinkForOneActionAlone();
    }

    private boolean isSingleSignOnAlone(AuthenticationSessionModel authSession) {
        LoginEvidence evidence = new LoginEvidence(session, authSession);
        return !AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                && !evidence.identifiesUserInThisLogin()
                && evidence.identifiesUser();
    }

    private void requireInTime(AuthenticationSessionModel authSession) {
        if (LoginDeadline.isOver(authSession)) {
            throw refusal.ofLateLogin(authSession);
        }
    }

    /** Whether something was proved before this request. From then on, the time of the login counts. */
    boolean hadProof(AuthenticationSessionModel authSession) {
        return AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                || new LoginEvidence(session, authSession).identifiedUserBefore();
    }

    /**
     * Called when a request has found the login. The pages after a flow may end it: a session that it continues may have
     * ended since then. A consent counts only while its own page is due, and not that of a required action. The link of a
     * mail for one action identifies nobody in a flow.
     *
     * @throws WebApplicationException with an error page, or with Keycloak's page for an expired page
     */
    void requireLoginMayEnd(AuthenticationSessionModel authSession) {
        if (request.isForFlow()) {
            MailLink.forgetIfForOneAction(authSession);
        }
        if (skipsLink(authSession)) {
            throw refusal.ofNothingProved(authSession);
        }
        boolean consents = request.isForPage(CONSENT_PAGE);
        if (consents
                && !Action.OAUTH_GRANT
                        .name()
                        .equals(authSession.getAuthNote(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION))) {
            throw refusal.ofExpiredPage(authSession);
        }
        if (consents
                || request.isForPage(LoginActionsService.REQUIRED_ACTION)
                || Action.REQUIRED_ACTIONS.name().equals(authSession.getAction()) && request.isForLink()) {
            requireProof(authSession);
        }
        if (consents && authSession.getAuthNote(AuthenticationManager.END_AFTER_REQUIRED_ACTIONS) != null) {
            throw refusal.ofExpiredPage(authSession);
        }
    }

    /**
     * Whether this is a form for the step that mails the link of a reset, which has none. In Keycloak 26.5 the step takes any
     * form for the opened link, and notes that the address is verified.
     */
    private boolean skipsLink(AuthenticationSessionModel authSession) {
        UserModel user = authSession.getAuthenticatedUser();
        return request.isFormOf(ResetCredentialEmail.PROVIDER_ID, authSession.getRealm())
                && (user == null || !MailLink.isOf(user, authSession));
    }

    /**
     * Called when a first broker login has passed, before the identity is linked to the user. It passes only in its own
     * flow, which goes on where the link of its mail is opened: there, the user is asked about the identity.
     */
    void requireProofToLink(AuthenticationSessionModel authSession) {
        requireInTime(authSession);
        boolean isInItsFlow = request.isForPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH)
                || request.isForLink() && AccountLinkMail.isFor(authSession, session);
        if (!isInItsFlow || !FirstBrokerLogin.hasCreatedUser(authSession) && !isProvedOrUnknown(authSession)) {
            throw refusal.ofNothingProved(authSession);
        }
    }

    /** A login begins at a protocol, which notes the path of its flow, or at a link to one of the login actions. */
    private boolean isLoginInABrowser(AuthenticationSessionModel authSession) {
        return request.isForLoginActions()
                || authSession.getAuthNote(AuthenticationProcessor.CURRENT_FLOW_PATH) != null;
    }

    private boolean isProvedOrUnknown(AuthenticationSessionModel authSession) {
        return AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                || new LoginEvidence(session, authSession).identifiesUser();
    }
}
