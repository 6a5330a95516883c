package io.github.checktoken.login.gate;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.services.util.AuthenticationFlowURLHelper;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.Action;

import io.github.checktoken.keycloak.LoginGateSwitch;
import io.github.checktoken.login.evidence.IdentityProviderLogin;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.MailLink;
import io.github.checktoken.telemetry.CheckTokenMetrics;

/**
 * Refuses to go on with a login in which nothing shows that the user is at the browser.
 *
 * <p>It refuses only if it is sure, because each execution that has succeeded is one that proves nothing: a username was
 * typed, or a form was skipped. If another execution has succeeded, such as Kerberos or one of another extension, the
 * login goes on.
 */
final class LoginGate {

    /** The error of the event LOGIN_ERROR. */
    static final String ERROR = "nothing_proved";

    private static final String CONSENT_PAGE = "consent";

    private final KeycloakSession session;
    private final BrowserRequest request;

    LoginGate(KeycloakSession session, BrowserRequest request) {
        this.session = session;
        this.request = request;
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
            refuse(authSession);
        }
        if (isLinkForOneActionAlone(authSession)) {
            authSession.setAuthNote(AuthenticationManager.END_AFTER_REQUIRED_ACTIONS, Boolean.TRUE.toString());
        }
        ImpersonatorNotes.copy(session, authSession);
        if (isSingleSignOnAlone(authSession)) {
            // Keycloak notes this only if no further step has passed. Otherwise the time of the login would be now.
            authSession.setAuthNote(AuthenticationManager.SSO_AUTH, Boolean.TRUE.toString());
        }
    }

    private boolean isLinkForOneActionAlone(AuthenticationSessionModel authSession) {
        return !LoginGateSwitch.isOff(authSession.getRealm())
                && !AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                && LoginEvidence.of(session, authSession).isLinkForOneActionAlone();
    }

    private boolean isSingleSignOnAlone(AuthenticationSessionModel authSession) {
        LoginEvidence evidence = LoginEvidence.of(session, authSession);
        return !AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                && !evidence.identifiesUserInThisLogin()
                && evidence.identifiesUser();
    }

    private void requireInTime(AuthenticationSessionModel authSession) {
        if (LoginTime.isOver(authSession)) {
            reset(authSession, Errors.EXPIRED_CODE, "the login has taken longer than the realm allows");
            throw new WebApplicationException(expired(authSession));
        }
    }

    /** Whether something was proved before this request. From then on, the time of the login counts. */
    boolean hadProof(AuthenticationSessionModel authSession) {
        return AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                || LoginEvidence.of(session, authSession).identifiedUserBefore();
    }

    /**
     * Called when a request has found the login. The pages after a flow may end it: a session that it continues may have
     * ended since then. A consent counts only while its own page is due, and not that of a required action. The link of a
     * mail for one action identifies nobody in a flow.
     *
     * @throws WebApplicationException with an error page, or with Keycloak's page for an expired page
     */
    void requireLoginMayEnd(AuthenticationSessionModel authSession) {
        if (request.isForFlow() && !LoginGateSwitch.isOff(authSession.getRealm())) {
            MailLink.forgetIfForOneAction(authSession);
        }
        boolean consents = request.isForPage(CONSENT_PAGE);
        if (consents
                && !Action.OAUTH_GRANT
                        .name()
                        .equals(authSession.getAuthNote(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION))) {
            throw new WebApplicationException(expired(authSession));
        }
        if (consents
                || request.isForPage(LoginActionsService.REQUIRED_ACTION)
                || Action.REQUIRED_ACTIONS.name().equals(authSession.getAction()) && request.isForLink()) {
            requireProof(authSession);
        }
    }

    /**
     * Called when a first broker login has passed, before the identity is linked to the user. It passes in its own flow,
     * which goes on where the link of its mail is opened, or outside: the user has signed in at another provider, or has
     * reset the password. Keycloak links then without asking again, so the user must be the one whom the flow has found,
     * and the flow must have no further step for this user. A reset may have asked for the name alone.
     */
    void requireProofToLink(AuthenticationSessionModel authSession) {
        requireInTime(authSession);
        boolean passes = request.isForPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH)
                        || request.isForLink() && AccountLinkMail.isFor(authSession, session)
                ? FirstBrokerLogin.hasCreatedUser(authSession) || isProvedOrUnknown(authSession)
                : FirstBrokerLogin.hasFoundUser(session, authSession)
                        && !new FirstBrokerLoginSteps(session, authSession).askUser()
                        && (!request.isForLoginActions() || isProvedOrUnknown(authSession));
        if (!passes) {
            refuse(authSession);
        }
    }

    /** A login begins at a protocol, which notes the path of its flow, or at a link to one of the login actions. */
    private boolean isLoginInABrowser(AuthenticationSessionModel authSession) {
        return request.isForLoginActions()
                || authSession.getAuthNote(AuthenticationProcessor.CURRENT_FLOW_PATH) != null;
    }

    private boolean isProvedOrUnknown(AuthenticationSessionModel authSession) {
        return LoginGateSwitch.isOff(authSession.getRealm())
                || AuthenticatorsWithoutProof.hasOtherSucceeded(authSession)
                || LoginEvidence.of(session, authSession).identifiesUser();
    }

    private void refuse(AuthenticationSessionModel authSession) {
        CheckTokenMetrics.refusedLogin(authSession.getRealm().getName());
        reset(authSession, ERROR, "nothing in this login shows that the user is at the browser");
        throw new WebApplicationException(new InterruptedLoginPage(session).nothingProved(authSession));
    }

    /** So that the user can begin again, and nothing of this login is left. */
    private void reset(AuthenticationSessionModel authSession, String error, String reason) {
        new EventBuilder(authSession.getRealm(), session, session.getContext().getConnection())
                .event(EventType.LOGIN)
                .client(authSession.getClient())
                .user(authSession.getAuthenticatedUser())
                .detail(Details.REASON, reason)
                .error(error);
        AuthenticationProcessor.resetFlow(authSession, LoginActionsService.AUTHENTICATE_PATH);
    }

    private Response expired(AuthenticationSessionModel authSession) {
        return new AuthenticationFlowURLHelper(
                        session, authSession.getRealm(), session.getContext().getUri())
                .showPageExpired(authSession);
    }
}
