package io.github.checktoken.login.gate.request;

import java.net.URI;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.KeycloakSession;
import org.keycloak.services.util.AuthenticationFlowURLHelper;
import org.keycloak.sessions.AuthenticationSessionModel;

/** Ends a request with a redirect to a page of the login, which goes on there. */
public record LoginRedirect(KeycloakSession session) {

    /**
     * @param flowPath the page of {@code LoginActionsService}
     * @return an exception with the redirect. What the request has written stays
     */
    public WebApplicationException to(String flowPath, AuthenticationSessionModel authSession) {
        URI page = new AuthenticationFlowURLHelper(
                        session, authSession.getRealm(), session.getContext().getUri())
                .getLastExecutionUrl(
                        flowPath,
                        null,
                        authSession.getClient().getClientId(),
                        authSession.getTabId(),
                        AuthenticationProcessor.getClientData(session, authSession));
        return with(Response.status(Response.Status.FOUND).location(page).build());
    }

    /** @return an exception with this redirect. Without a body, Keycloak would replace it with its page for errors */
    public static WebApplicationException with(Response redirect) {
        return new WebApplicationException(Response.fromResponse(redirect)
                .type(MediaType.TEXT_HTML_TYPE)
                .entity("")
                .build());
    }
}
