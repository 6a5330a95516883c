package io.github.checktoken.introspection.endpoint;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /**
     * A realm name with a NUL is excluded: PostgreSQL rejects it with an error, for which Keycloak logs a stack trace.
     */
    private static final Pattern PATH =
            Pattern.compile("\\.well-known/oauth-authorization-server/(realms/(?:(?!%00)[^/])+/api/v2)");

    private static final String WELL_KNOWN = ".well-known/oauth-authorization-server/realms/";

    @Override
    public void filter(ContainerRequestContext request) {
        // Checked first, because getBaseUri() of RESTEasy throws if the Host header is malformed.
        if (!request.getUriInfo().getPath().contains(WELL_KNOWN)) {
            return;
        }
        URI base = request.getUriInfo().getBaseUri();
        Matcher path = PATH.matcher(
                base.relativize(request.getUriInfo().getRequestUri()).getRawPath());
        if (path.matches()) {
            String ourPath = path.group(1) + "/.well-known/oauth-authorization-server";
            // RESTEasy decodes this path once and then reads the result as the encoded path. So it is encoded twice:
            // otherwise %2561 would become a letter, and %2f a slash.
            request.setRequestUri(base.resolve(ourPath.replace("%", "%25")));
        }
    }
}
