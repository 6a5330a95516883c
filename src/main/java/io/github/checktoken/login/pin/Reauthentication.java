package io.github.checktoken.login.pin;

import java.net.URI;

import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.KeycloakSession;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.protocol.saml.SamlProtocol;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.services.util.AuthenticationFlowURLHelper;
import org.keycloak.sessions.AuthenticationSessionModel;

/** Begins a login anew, in which the user has to sign in although there is a session. Then the login goes on. */
record Reauthentication(KeycloakSession session, AuthenticationSessionModel authSession) {

    /**
     * As if the client had asked for it. So Keycloak asks in its own words, and the login replaces the methods and levels
     * of the session.
     */
    Response redirect() {
        String prompt = authSession.getClientNote(OIDCLoginProtocol.PROMPT_PARAM);
        authSession.setClientNote(
                OIDCLoginProtocol.PROMPT_PARAM,
                prompt == null
                        ? OIDCLoginProtocol.PROMPT_VALUE_LOGIN
                        : prompt + " " + OIDCLoginProtocol.PROMPT_VALUE_LOGIN);
        AuthenticationProcessor.resetFlow(authSession, LoginActionsService.AUTHENTICATE_PATH);
        authSession.setAuthNote(SamlProtocol.SAML_LOGIN_REQUEST_FORCEAUTHN, SamlProtocol.SAML_FORCEAUTHN_REQUIREMENT);
        URI login = new AuthenticationFlowURLHelper(
                        session, authSession.getRealm(), session.getContext().getUri())
                .getLastExecutionUrl(authSession);
        return Response.seeOther(login).build();
    }
}
