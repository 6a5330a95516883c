package io.github.checktoken.login.gate;

import java.util.Objects;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.protocol.AuthorizationEndpointBase;
import org.keycloak.protocol.RestartLoginCookie;
import org.keycloak.services.managers.AuthenticationSessionManager;
import org.keycloak.services.messages.Messages;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import io.github.checktoken.login.gate.request.BrowserRequest;
import io.github.checktoken.login.gate.request.LoginRedirect;

/**
 * Begins a login anew with the client's request and nothing else, if it cannot go on: its root authentication session has
 * the id of a user session that has ended or is another browser's, or the person has pressed twice. The person sees the
 * login page with the reason.
 */
final class LoginBegunAnew {

    /** The id of the root authentication session that the browser has left. Its tabs are begun anew when they are used. */
    static final String NOTE = "checktoken.left";

    private final KeycloakSession session;
    private final AuthenticationSessionProvider sessions;
    private String left;
    private RootAuthenticationSessionModel replacement;

    /** @param sessions Keycloak's own */
    LoginBegunAnew(KeycloakSession session, AuthenticationSessionProvider sessions) {
        this.session = session;
        this.sessions = sessions;
    }

    /** @return null, so that Keycloak makes a new one itself */
    RootAuthenticationSessionModel leave(RootAuthenticationSessionModel root) {
        left = root.getId();
        return null;
    }

    /**
     * @return a new one, to which the browser's cookie is set, but not by a request without a page: its answer can come
     *     between a form that begins anew and the page that follows
     */
    RootAuthenticationSessionModel replace(RootAuthenticationSessionModel root) {
        if (!root.getId().equals(left)) {
            left = root.getId();
            replacement = new AuthenticationSessionManager(session)
                    .createAuthenticationSession(root.getRealm(), !new BrowserRequest(session).isSilent());
        }
        return replacement;
    }

    /** A new tab tells what this request has left, or what an earlier tab tells. */
    void noteLeftSession(AuthenticationSessionModel tab, RootAuthenticationSessionModel root) {
        String known = leftSession(root);
        if (known != null) {
            tab.setAuthNote(NOTE, known);
        }
    }

    private String leftSession(RootAuthenticationSessionModel root) {
        return left != null
                ? left
                : root.getAuthenticationSessions().values().stream()
                        .map(tab -> tab.getAuthNote(NOTE))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** @throws WebApplicationException with a redirect, if the tab is in the session that the browser has left */
    void redirectIfLeft(RootAuthenticationSessionModel root, ClientModel client, String tabId) {
        String known = leftSession(root);
        RootAuthenticationSessionModel former =
                known == null ? null : sessions.getRootAuthenticationSession(root.getRealm(), known);
        AuthenticationSessionModel tab = former == null ? null : former.getAuthenticationSession(client, tabId);
        if (tab != null && tab.getProtocol() != null && Action.valueOf(tab.getAction()) != Action.LOGGING_OUT) {
            throw redirect(tab, root);
        }
    }

    /** @return a redirect to the login of the same request in another root authentication session */
    WebApplicationException redirect(AuthenticationSessionModel former, RootAuthenticationSessionModel root) {
        AuthenticationSessionModel tab = root.createAuthenticationSession(former.getClient());
        tab.setProtocol(former.getProtocol());
        tab.setRedirectUri(former.getRedirectUri());
        former.getClientNotes().forEach((name, value) -> {
            if (!FormerUserState.DROPPED_CLIENT_NOTES.contains(name)) {
                tab.setClientNote(name, value);
            }
        });
        return redirect(tab);
    }

    /**
     * Called if another request has just ended the login of a tab, for example because a button was pressed twice. Keycloak
     * would say that the attempt has timed out.
     *
     * @param root null if the tab was its last one
     * @param client the client_id of the client that the request names
     * @throws WebApplicationException with a redirect, if the browser has sent the cookie with the client's request
     */
    void redirectIfPressedTwice(RealmModel realm, RootAuthenticationSessionModel root, String client) {
        String cookie = RestartLoginCookie.getRestartCookie(session);
        AuthenticationSessionModel tab = cookie == null ? null : restart(realm, root, client, cookie);
        if (tab != null) {
            throw redirect(tab);
        }
    }

    private AuthenticationSessionModel restart(
            RealmModel realm, RootAuthenticationSessionModel root, String client, String cookie) {
        try {
            return RestartLoginCookie.restartSession(session, realm, root, client, cookie);
        } catch (Exception e) {
            // Keycloak declares nothing narrower, and goes on without the cookie, too.
            return null;
        }
    }

    private WebApplicationException redirect(AuthenticationSessionModel tab) {
        String initiated = tab.getClientNote(AuthorizationEndpointBase.APP_INITIATED_FLOW);
        String flow = initiated == null ? LoginActionsService.AUTHENTICATE_PATH : initiated;
        AuthenticationProcessor.resetFlow(tab, flow);
        tab.setAuthNote(LoginActionsService.FORWARDED_ERROR_MESSAGE_NOTE, Messages.EXPIRED_ACTION);
        RestartLoginCookie.setRestartCookie(session, tab);
        return new LoginRedirect(session).to(flow, tab);
    }
}
