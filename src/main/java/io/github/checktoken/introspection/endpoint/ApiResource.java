package io.github.checktoken.introspection.endpoint;

import java.net.URI;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakUriInfo;
import org.keycloak.protocol.oidc.OIDCLoginProtocolService;
import org.keycloak.services.resource.RealmResourceProvider;

/** The routes under {@code /realms/{realm}/api/}. */
public final class ApiResource {

    private final KeycloakSession session;

    ApiResource(KeycloakSession session) {
        this.session = session;
    }

    /** Returns the resource of the short path, so that both paths have the same settings. */
    @Path("v2/checktoken")
    public CheckTokenEndpoint checkToken() {
        RealmResourceProvider checkToken =
                session.getProvider(RealmResourceProvider.class, CheckTokenResourceProviderFactory.PROVIDER_ID);
        if (checkToken == null) {
            // The server's settings disable that provider.
            throw new NotFoundException();
        }
        return (CheckTokenEndpoint) checkToken.getResource();
    }

    @GET
    @Path("{version: v1|v2}/authorize")
    public Response authorize() {
        return redirectToKeycloak(Response.Status.FOUND);
    }

    /** OpenID Connect Core section 3.1.2.1 requires POST too. With 307, the browser sends the form to Keycloak. */
    @POST
    @Path("{version: v1|v2}/authorize")
    public Response authorizeWithForm() {
        return redirectToKeycloak(Response.Status.TEMPORARY_REDIRECT);
    }

    /** The query stays the same, byte for byte. The redirect is never cached, because the query belongs to one login. */
    private Response redirectToKeycloak(Response.Status status) {
        KeycloakUriInfo uri = session.getContext().getUri();
        URI target = OIDCLoginProtocolService.authUrl(uri)
                .build(session.getContext().getRealm().getName());
        String query = uri.getRequestUri().getRawQuery();
        return Response.status(status)
                .header(HttpHeaders.LOCATION, query == null ? target.toString() : target + "?" + query)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    @GET
    @Path("v2/.well-known/{document: openid-configuration|oauth-authorization-server}")
    @Produces(MediaType.APPLICATION_JSON)
    public Response metadata() {
        return new IntrospectionMetadata(session).response();
    }
}
