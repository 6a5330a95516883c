package io.github.checktoken.introspection.endpoint;

import java.util.Set;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

import org.keycloak.models.KeycloakSession;
import org.keycloak.utils.KeycloakSessionUtil;

import io.github.checktoken.keycloak.ErrorBody;

/**
 * Replaces Keycloak's own error with a {@link CheckTokenError} if Keycloak answers in the endpoint's place: if the endpoint
 * does not have the method, if Keycloak's form reader rejects the body before it calls any provider, or after an
 * unexpected failure. If Keycloak says "not now", as it does while it starts, only the body is replaced. If a
 * redirect or the metadata do not have the method, the header {@code Allow} is added, which RFC 9110
 * requires. Other paths are not changed.
 */
@Provider
public final class CheckTokenResponseFilter implements ContainerResponseFilter {

    /** Too many requests, or the service is unavailable. Keycloak's {@code Retry-After} stays. */
    private static final Set<Integer> NOT_NOW = Set.of(429, 503);

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        // In this order, because the filter runs for each response of Keycloak.
        if (isKept(response)) {
            return;
        }
        String path = request.getUriInfo().getPath();
        if (response.getStatus() == 405) {
            ServicePaths.allowedMethods(path)
                    .ifPresent(methods -> response.getHeaders().putSingle(HttpHeaders.ALLOW, methods));
        }
        if (!ServicePaths.isEndpoint(path)) {
            return;
        }
        Response replacement = errorFor(request, response.getStatus()).response();
        if (!NOT_NOW.contains(response.getStatus())) {
            response.setStatus(replacement.getStatus());
            response.getHeaders().clear();
        }
        response.getHeaders().putAll(replacement.getHeaders());
        response.setEntity(replacement.getEntity(), null, replacement.getMediaType());
    }

    /** Our own errors have a body of our own. A 404, for example for an unknown realm, stays Keycloak's. */
    static boolean isKept(ContainerResponseContext response) {
        int status = response.getStatus();
        return status < 400 || status == 404 || response.getEntity() instanceof ErrorBody;
    }

    private static CheckTokenError errorFor(ContainerRequestContext request, int status) {
        if (NOT_NOW.contains(status)) {
            return CheckTokenError.NOT_NOW;
        }
        if (status == 405) {
            return CheckTokenError.METHOD_NOT_ALLOWED;
        }
        if (!CheckTokenRequest.isForm(request.getHeaderString(HttpHeaders.CONTENT_TYPE))) {
            return CheckTokenError.UNSUPPORTED_MEDIA_TYPE;
        }
        if (status == 413) {
            return CheckTokenError.BODY_TOO_LARGE;
        }
        return status >= 500 && isFormRead() ? CheckTokenError.SERVER_ERROR : CheckTokenError.INVALID_REQUEST;
    }

    /**
     * Keycloak answers 500 even if its form reader rejected the body, which is the caller's fault. The failure is the
     * server's only if the form was read.
     */
    private static boolean isFormRead() {
        KeycloakSession session = KeycloakSessionUtil.getKeycloakSession();
        return session == null
                || !session.getContext()
                        .getHttpRequest()
                        .getDecodedFormParameters()
                        .isEmpty();
    }
}
