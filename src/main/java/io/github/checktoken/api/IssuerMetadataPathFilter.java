package io.github.checktoken.api;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/**
 * The introspection issuer's metadata where RFC 8414 section 3.1 puts it: the well-known part before the issuer's path.
 * Keycloak asks no provider about that address, and a resource class for it would hide Keycloak's own documents beside it
 * (seen on 26.5.6). So the request goes on as one for the address that we have. Touches no other path.
 */
@Provider
@PreMatching
public final class IssuerMetadataPathFilter implements ContainerRequestFilter {

    /** Not with a NUL, which a PostgreSQL refuses with an error, and Keycloak with a stack trace in its log. */
    private static final Pattern PATH =
            Pattern.compile("\\.well-known/oauth-authorization-server/(realms/(?:(?!%00)[^/])+/api/v2)");

    private static final String WELL_KNOWN = ".well-known/oauth-authorization-server/realms/";

    @Override
    public void filter(ContainerRequestContext request) {
        // First, because RESTEasy throws for the base address if the Host header is malformed.
        if (!request.getUriInfo().getPath().contains(WELL_KNOWN)) {
            return;
        }
        URI base = request.getUriInfo().getBaseUri();
        Matcher path = PATH.matcher(
                base.relativize(request.getUriInfo().getRequestUri()).getRawPath());
        if (path.matches()) {
            String ours = path.group(1) + "/.well-known/oauth-authorization-server";
            // RESTEasy decodes this, and later takes it for the path as it was sent. Without a second encoding %2561
            // would become a letter, and %2f a slash.
            request.setRequestUri(base.resolve(ours.replace("%", "%25")));
        }
    }
}
