package io.github.checktoken.introspection.endpoint;

import java.net.URI;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;

import org.keycloak.models.KeycloakSession;

/** An address at which a browser is sent on to one of Keycloak's own. */
public final class KeycloakRedirect {

    private final KeycloakSession session;
    private final UriBuilder endpoint;

    /** @param endpoint for the name of a realm */
    KeycloakRedirect(KeycloakSession session, UriBuilder endpoint) {
        this.session = session;
        this.endpoint = endpoint;
    }

    @GET
    public Response redirect() {
        return redirect(Response.Status.FOUND);
    }

    /** OpenID Connect Core section 3.1.2.1 requires POST too. With 307, the browser sends the form to Keycloak. */
    @POST
    public Response redirectWithForm() {
        return redirect(Response.Status.TEMPORARY_REDIRECT);
    }

    /** The query stays the same, byte for byte. The redirect is never cached, because the query belongs to one login. */
    private Response redirect(Response.Status status) {
        URI target = endpoint.build(session.getContext().getRealm().getName());
        String query = session.getContext().getUri().getRequestUri().getRawQuery();
        return Response.status(status)
                .header(HttpHeaders.LOCATION, query == null ? target.toString() : target + "?" + query)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }
}
