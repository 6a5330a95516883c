package io.github.checktoken.introspection.endpoint;

import java.net.URI;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakUriInfo;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;

/** Redirects the service's authorization endpoint to Keycloak's. The query stays the same, byte for byte. */
record AuthorizeRedirect(KeycloakSession session) {

    /** @return the redirect, never cached, because the query belongs to one login */
    Response response(Response.Status status) {
        KeycloakUriInfo uri = session.getContext().getUri();
        URI target = OIDCLoginProtocolService.authUrl(uri)
                .build(session.getContext().getRealm().getName());
        String query = uri.getRequestUri().getRawQuery();
        return Response.status(status)
                .header(HttpHeaders.LOCATION, query == null ? target.toString() : target + "?" + query)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }
}
