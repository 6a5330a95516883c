package io.github.checktoken.login.gate.request;

import java.util.ArrayList;
import java.util.List;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;
import jakarta.ws.rs.core.UriInfo;

import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.theme.Theme;

import io.github.checktoken.text.OwnMessages;

/**
 * The page of a login that does not go on. It says why, and has a link with which the person goes on.
 *
 * <p>It is Keycloak's error page, which every theme has: people of any realm can get it. That page has no place for a link
 * of ours, so the link is a message of its own.
 */
public record InterruptedLoginPage(KeycloakSession session) {

    /** @param authSession the login, which has been reset. The link begins it anew */
    public Response nothingProved(AuthenticationSessionModel authSession) {
        String start = session.getContext()
                .getUri()
                .getBaseUriBuilder()
                .path("realms/{realm}/" + BrowserRequest.LOGIN_ACTIONS + "/" + LoginActionsService.AUTHENTICATE_PATH)
                .queryParam(Constants.CLIENT_ID, "{client}")
                .queryParam(Constants.TAB_ID, "{tab}")
                .build(authSession.getRealm().getName(), authSession.getClient().getClientId(), authSession.getTabId())
                .toString();
        return page(authSession, Response.Status.FORBIDDEN, "loginNothingProved", start);
    }

    /** The page does not belong to the authentication session, which another request has. */
    public Response stillProcessed() {
        return page(null, Response.Status.CONFLICT, "loginStillProcessed", sameRequest());
    }

    /** This server can guard no login. */
    public Response notGuarded() {
        return page(null, Response.Status.SERVICE_UNAVAILABLE, "loginNotGuarded", null);
    }

    /** A step of the login may have set a user, whom the page must not name, and other ways to sign in. */
    private Response page(AuthenticationSessionModel authSession, Response.Status status, String message, String link) {
        OwnMessages texts = OwnMessages.of(session, Theme.Type.LOGIN, null);
        List<FormMessage> messages = new ArrayList<>(List.of(new FormMessage(texts.text(message))));
        if (link != null) {
            messages.add(new FormMessage(texts.text(message + "Link", link.replace("&", "&amp;"))));
        }
        return session.getProvider(LoginFormsProvider.class)
                .setAuthenticationSession(authSession)
                .setAuthContext(null)
                .setUser(null)
                .setErrors(messages)
                .createErrorPage(status);
    }

    /**
     * The address of this request. A link cannot send a form again, but without the form's code and step, the address
     * shows the step at which the login is by then.
     *
     * @return null for a form that did not come from a page of the login
     */
    private String sameRequest() {
        UriInfo uri = session.getContext().getUri();
        boolean isForm = !session.getContext().getHttpRequest().getHttpMethod().equals("GET");
        if (isForm && !new BrowserRequest(session).isForLoginActions()) {
            return null;
        }
        UriBuilder address = uri.getBaseUriBuilder()
                .path("{path}")
                .replaceQuery(uri.getRequestUri().getRawQuery());
        if (isForm) {
            address.replaceQueryParam(LoginActionsService.SESSION_CODE, (Object[]) null)
                    .replaceQueryParam(Constants.EXECUTION, (Object[]) null);
        }
        String path = uri.getPath().replaceFirst("^/", "");
        return address.build(new Object[] {path}, false).toString();
    }
}
