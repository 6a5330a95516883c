package io.github.checktoken.login.emailcode;

import java.net.URI;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;

import org.keycloak.authentication.AuthenticationFlowContext;
import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.AuthenticationFlowModel;
import org.keycloak.models.Constants;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resources.LoginActionsService;

/**
 * The request in which a step of a login runs. It says whether the user has sent it, or whether a link or an image on
 * another site may have caused it. The browser sends Keycloak's cookies with both, and a redirect or a form that
 * submits itself can send either with any HTTP method.
 */
record LoginRequest(AuthenticationFlowContext context) {

    /**
     * Whether the request is for one of Keycloak's login pages. Otherwise it is for the callback of an identity
     * provider, or for the endpoint of a protocol. There it may be passive (OpenID Connect {@code prompt=none}, SAML
     * {@code IsPassive}), which an authenticator cannot find out.
     */
    boolean isOnLoginPages() {
        // The base address is not compared, because a proxy may add a path to it or to the address of the request.
        URI pages = LoginActionsService.loginActionsBaseUrl(UriBuilder.fromUri("/"))
                .build(context.getRealm().getName());
        return context.getUriInfo().getAbsolutePath().getPath().contains(pages.getPath() + "/");
    }

    /** Redirects to the same step on the login pages. If the request is passive, Keycloak discards this response. */
    Response redirectToLoginPages() {
        return Response.status(Response.Status.FOUND)
                .location(context.getRefreshExecutionUrl())
                .build();
    }

    /**
     * Whether a passive login was forwarded to an identity provider and has come back. Keycloak shows no page in it.
     */
    boolean isForwardedPassiveLogin() {
        return Boolean.parseBoolean(
                context.getAuthenticationSession().getAuthNote(AuthenticationProcessor.FORWARDED_PASSIVE_LOGIN));
    }

    /**
     * Whether the user has submitted a form of the login pages. Only the page with the form contains the session code,
     * and Keycloak checks the code before any step runs. (It does not if the request also has the key of a mailed link,
     * but whoever has that key can read the user's mail.)
     */
    boolean isFormOfLoginPages() {
        return HttpMethod.POST.equals(context.getHttpRequest().getHttpMethod())
                && context.getUriInfo().getQueryParameters().containsKey(LoginActionsService.SESSION_CODE);
    }

    /** Whether the user has chosen this execution in Keycloak's list of ways to sign in. */
    boolean chooses(AuthenticationExecutionModel execution) {
        return isFormOfLoginPages()
                && execution
                        .getId()
                        .equals(context.getHttpRequest()
                                .getDecodedFormParameters()
                                .getFirst(Constants.AUTHENTICATION_EXECUTION));
    }

    /**
     * Whether this step is in the flow that resets credentials, in which anybody can enter any username. The realm's
     * settings decide, and not the path of the request: a browser can send a form to the path of another flow. A step that
     * the realm's login shares with this flow counts as one of this flow, because a stranger can reach it.
     */
    boolean isResetCredentials() {
        RealmModel realm = context.getRealm();
        AuthenticationFlowModel resets = realm.getResetCredentialsFlow();
        AuthenticationExecutionModel execution = context.getExecution();
        return resets != null
                && AuthenticatorUtil.getExecutionsByType(realm, resets.getId(), execution.getAuthenticator()).stream()
                        .anyMatch(step -> step.getId().equals(execution.getId()));
    }
}
