package io.github.checktoken.login.gate;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.services.util.AuthenticationFlowURLHelper;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.telemetry.CheckTokenMetrics;

/** How the gate ends a login: with an event, a meter, and a page from which the user can begin again. */
record LoginRefusal(KeycloakSession session) {

    /** The error of the event LOGIN_ERROR. */
    static final String ERROR = "nothing_proved";

    /** @return an exception with an error page. Nothing of this login is left */
    WebApplicationException ofNothingProved(AuthenticationSessionModel authSession) {
        CheckTokenMetrics.refusedLogin(authSession.getRealm().getName());
        reset(authSession, ERROR, "nothing in this login shows that the user is at the browser");
        return new WebApplicationException(new InterruptedLoginPage(session).nothingProved(authSession));
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
