package io.github.checktoken.login.gate;

import java.util.Objects;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.events.Details;
import org.keycloak.events.Errors;
import org.keycloak.events.EventBuilder;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.text.OwnMessages;

/**
 * The step of a login in which a request checks something of a user. The step looks again right before it succeeds: it
 * must still be the same step, of the same user.
 */
public final class CurrentStep {

    private final KeycloakSession session;
    private final AuthenticationSessionModel authSession;
    private final String user;
    private final String execution;
    private final String action;

    /** @param user whose credential is checked; null if nothing can be correct, because there is nobody */
    public CurrentStep(KeycloakSession session, AuthenticationSessionModel authSession, UserModel user) {
        this.session = session;
        this.authSession = authSession;
        this.user = id(user);
        this.execution = execution();
        this.action = authSession.getAction();
    }

    boolean isCurrent() {
        return user != null
                && user.equals(id(authSession.getAuthenticatedUser()))
                && Objects.equals(execution, execution())
                && Objects.equals(action, authSession.getAction());
    }

    /**
     * Ends the request with an error page if the login is not at this step any more, or not with this user. It leaves the
     * login as the other request has left it.
     *
     * @param event the event of this step
     */
    public void requireCurrent(EventBuilder event) {
        if (isCurrent()) {
            return;
        }
        event.user(user)
                .detail(Details.REASON, "the login has changed while this request was checked")
                .error(Errors.EXPIRED_CODE);
        // The page must not say who is signing in now, so it does not belong to the authentication session.
        OwnMessages texts = OwnMessages.of(session, Theme.Type.LOGIN, null);
        throw new WebApplicationException(session.getProvider(LoginFormsProvider.class)
                .setAuthenticationSession(null)
                .setUser(null)
                .setAttribute(OwnMessages.ATTRIBUTE, texts.method())
                .setError(texts.text("loginReplaced"))
                .createErrorPage(Response.Status.BAD_REQUEST));
    }

    private String execution() {
        return authSession.getAuthNote(AuthenticationProcessor.CURRENT_AUTHENTICATION_EXECUTION);
    }

    private static String id(UserModel user) {
        return user == null ? null : user.getId();
    }
}
