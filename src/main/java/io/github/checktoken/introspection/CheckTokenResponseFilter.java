package io.github.checktoken.introspection;

import java.util.regex.Pattern;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.utils.KeycloakSessionUtil;

/**
 * Gives the endpoint's errors their form where Keycloak answers in its place: a body that its form reader gives up on
 * before any provider is asked, and what nobody expected. Touches no other path.
 */
@Provider
public final class CheckTokenResponseFilter implements ContainerResponseFilter {

    private static final Pattern PATH = Pattern.compile("/?realms/[^/]+/(api/v2/)?checktoken/?");
    private static final String REACHED = CheckTokenResponseFilter.class.getName();

    /** From here on an error is the server's, not the body's. */
    static void markReached(KeycloakSession session) {
        session.setAttribute(REACHED, true);
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (!PATH.matcher(request.getUriInfo().getPath()).matches() || isOurs(response)) {
            return;
        }
        Response replacement = errorFor(request, response.getStatus()).response();
        response.setStatus(replacement.getStatus());
        response.getHeaders().clear();
        response.getHeaders().putAll(replacement.getHeaders());
        response.setEntity(replacement.getEntity(), null, replacement.getMediaType());
    }

    private static boolean isOurs(ContainerResponseContext response) {
        int status = response.getStatus();
        return status < 400 || status == 404 || response.getHeaders().containsKey("Cache-Control");
    }

    private static CheckTokenError errorFor(ContainerRequestContext request, int status) {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        if (session != null && session.getAttribute(REACHED) != null) {
            return CheckTokenError.SERVER_ERROR;
        }
        return switch (status) {
            case 405 -> CheckTokenError.METHOD_NOT_ALLOWED;
            case 413 -> CheckTokenError.BODY_TOO_LARGE;
            default ->
                CheckTokenRequest.isForm(request.getMediaType())
                        ? CheckTokenError.INVALID_REQUEST
                        : CheckTokenError.UNSUPPORTED_MEDIA_TYPE;
        };
    }
}
