package io.github.checktoken.api;

import java.net.URI;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakUriInfo;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;

/** Sends the browser from the service's authorization address to Keycloak's, the query unchanged byte for byte. */
final class AuthorizeRedirect {

    private final KeycloakSession session;

    AuthorizeRedirect(KeycloakSession session) {
        this.session = session;
    }

    /** @return 302 Found, never cached: the query names one login. */
    Response response() {
        KeycloakUriInfo uri = session.getContext().getUri();
        URI target = OIDCLoginProtocolService.authUrl(uri)
                .build(session.getContext().getRealm().getName());
        String query = uri.getRequestUri().getRawQuery();
        return Response.status(Response.Status.FOUND)
                .header(HttpHeaders.LOCATION, query == null ? target.toString() : target + "?" + query)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }
}
