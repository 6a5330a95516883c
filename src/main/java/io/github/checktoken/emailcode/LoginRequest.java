package io.github.checktoken.emailcode;

import java.net.URI;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;
import jakarta.ws.rs.core.UriInfo;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.services.resources.LoginActionsService;

/**
 * The request that a step of a login runs in: did the person ask for it, or may a link or an image of another site have?
 * Keycloak's cookies come with both, and a redirect or a form that sends itself makes any method of either.
 */
final class LoginRequest {

    private final AuthenticationFlowContext context;
    private final UriInfo uri;

    LoginRequest(AuthenticationFlowContext context) {
        this.context = context;
        this.uri = context.getUriInfo();
    }

    /**
     * Whether it is one of Keycloak's login pages. The others are the endpoint of a protocol, where a request may be passive
     * (OpenID Connect {@code prompt=none}, SAML {@code IsPassive}) and an authenticator cannot tell, and the callback of an
     * identity provider.
     */
    boolean isOnLoginPages() {
        // Not compared with the base address: proxies may add a path to either.
        URI pages = LoginActionsService.loginActionsBaseUrl(UriBuilder.fromUri("/"))
                .build(context.getRealm().getName());
        return uri.getAbsolutePath().getPath().contains(pages.getPath() + "/");
    }

    /** To the same step on the login pages. Keycloak throws it away when the request is passive. */
    Response redirectToLoginPages() {
        return Response.status(Response.Status.FOUND)
                .location(context.getRefreshExecutionUrl())
                .build();
    }

    /** Whether it was passive and came back from an identity provider: Keycloak shows no page in it. */
    boolean isForwardedPassive() {
        return Boolean.parseBoolean(
                context.getAuthenticationSession().getAuthNote(AuthenticationProcessor.FORWARDED_PASSIVE_LOGIN));
    }

    /**
     * Whether it is, on the login pages, a form that the person sent. Only the page of the form has the session code, and
     * Keycloak has checked it before any step runs. (Not if the key of a mailed link is there too; but whoever has that has
     * the mailbox.)
     */
    boolean isOwnForm() {
        return HttpMethod.POST.equals(context.getHttpRequest().getHttpMethod())
                && uri.getQueryParameters().containsKey(LoginActionsService.SESSION_CODE);
    }

    /** Whether it is of the flow that resets credentials, where anybody may name anybody. */
    boolean isResetCredentials() {
        return LoginActionsService.RESET_CREDENTIALS_PATH.equals(context.getFlowPath());
    }
}
