package io.github.checktoken.introspection;

import java.util.regex.Pattern;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
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
        return status < 400 || status == 404 || response.getHeaders().containsKey(HttpHeaders.CACHE_CONTROL);
    }

    private static CheckTokenError errorFor(ContainerRequestContext request, int status) {
        if (status == 405) {
            return CheckTokenError.METHOD_NOT_ALLOWED;
        }
        if (!CheckTokenRequest.isForm(request.getHeaderString(HttpHeaders.CONTENT_TYPE))) {
            return CheckTokenError.UNSUPPORTED_MEDIA_TYPE;
        }
        if (status == 413) {
            return CheckTokenError.BODY_TOO_LARGE;
        }
        return status >= 500 && wasRead() ? CheckTokenError.SERVER_ERROR : CheckTokenError.INVALID_REQUEST;
    }

    /** A body that the form reader gave up on is a server error to Keycloak; what fails after it was read is one. */
    private static boolean wasRead() {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        return session == null
                || !session.getContext()
                        .getHttpRequest()
                        .getDecodedFormParameters()
                        .isEmpty();
    }
}
