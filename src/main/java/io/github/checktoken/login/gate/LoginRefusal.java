package io.github.checktoken.login.gate;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationFlowError;
import org.keycloak.authentication.AuthenticationFlowException;
import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.LoginProtocol;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.services.util.AuthenticationFlowURLHelper;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.util.TokenUtil;

import io.github.checktoken.login.gate.provider.UnfinishedBrokerLogin;
import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.InterruptedLoginPage;
import io.github.checktoken.telemetry.CheckTokenCounter;

/**
 * How the gate ends a login: with an event, a meter, and a page from which the user can begin again. A request that asks
 * for no page gets the error of its protocol.
 */
record LoginRefusal(KeycloakSession session) {

    /** The error of the event LOGIN_ERROR. */
    static final String ERROR = "nothing_proved";

    /** @return an exception with the answer. Nothing of this login is left */
    RuntimeException ofNothingProved(AuthenticationSessionModel authSession) {
        CheckTokenCounter.LOGINS_REFUSED.increment(authSession.getRealm().getName());
        reset(authSession, ERROR, "nothing in this login shows that the user is at the browser");
        return isAtItsProtocol()
                ? new AuthenticationFlowException(
                        AuthenticationFlowError.GENERIC_AUTHENTICATION_ERROR, answerOfProtocol(authSession))
                : new WebApplicationException(page(authSession));
    }

    private Response page(AuthenticationSessionModel authSession) {
        return new InterruptedLoginPage(session).nothingProved(authSession);
    }

    /** Whether this is the request of a client. There, Keycloak replaces the page of any other exception with its own. */
    private boolean isAtItsProtocol() {
        BrowserRequest request = new BrowserRequest(session);
        return !request.isForLoginActions() && !request.isForProvider();
    }

    private Response answerOfProtocol(AuthenticationSessionModel authSession) {
        if (!TokenUtil.hasPrompt(
                authSession.getClientNote(OIDCLoginProtocol.PROMPT_PARAM), OIDCLoginProtocol.PROMPT_VALUE_NONE)) {
            return page(authSession);
        }
        KeycloakContext context = session.getContext();
        return session.getProvider(LoginProtocol.class, authSession.getProtocol())
                .setRealm(authSession.getRealm())
                .setHttpHeaders(context.getRequestHeaders())
                .setUriInfo(context.getUri())
                .setEventBuilder(new EventBuilder(authSession.getRealm(), session, context.getConnection()))
                .sendError(authSession, LoginProtocol.Error.PASSIVE_LOGIN_REQUIRED, null);
    }

    /** @return an exception with Keycloak's page for an expired page. Nothing of this login is left */
    WebApplicationException ofLateLogin(AuthenticationSessionModel authSession) {
        reset(authSession, Errors.EXPIRED_CODE, "the login has taken longer than the realm allows");
        return ofExpiredPage(authSession);
    }

    /** @return an exception with Keycloak's page for an expired page, from which the login can go on */
    WebApplicationException ofExpiredPage(AuthenticationSessionModel authSession) {
        return new WebApplicationException(new AuthenticationFlowURLHelper(
                        session, authSession.getRealm(), session.getContext().getUri())
                .showPageExpired(authSession));
    }

    private void reset(AuthenticationSessionModel authSession, String error, String reason) {
        new EventBuilder(authSession.getRealm(), session, session.getContext().getConnection())
                .event(EventType.LOGIN)
                .client(authSession.getClient())
                .user(authSession.getAuthenticatedUser())
                .detail(Details.REASON, reason)
                .error(error);
        UnfinishedBrokerLogin.end(authSession);
        AuthenticationProcessor.resetFlow(authSession, LoginActionsService.AUTHENTICATE_PATH);
    }
}
