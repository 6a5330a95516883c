package io.github.checktoken.introspection.endpoint;

import java.net.URI;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/**
 * Serves the introspection issuer's metadata at the address that RFC 8414 section 3.1 defines, with the well-known part
 * before the issuer's path. Keycloak calls no provider for that address, and a resource class for it would hide
 * Keycloak's own documents (seen on 26.5.6). So this filter rewrites the request to our own path. Other paths are not
 * changed.
 */
@Provider
@PreMatching
public final class IssuerMetadataPathFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        // Checked first, because getBaseUri() of RESTEasy throws if the Host header is malformed.
        if (!ServicePaths.mayBeIssuerMetadata(request.getUriInfo().getPath())) {
            return;
        }
        URI base = request.getUriInfo().getBaseUri();
        String rawPath = base.relativize(request.getUriInfo().getRequestUri()).getRawPath();
        // RESTEasy decodes this path once and then reads the result as the encoded path. So it is encoded twice:
        // otherwise %2561 would become a letter, and %2f a slash.
        ServicePaths.issuerMetadata(rawPath)
                .ifPresent(ourPath -> request.setRequestUri(base.resolve(ourPath.replace("%", "%25"))));
    }
}
