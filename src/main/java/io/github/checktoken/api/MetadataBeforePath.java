package io.github.checktoken.api;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;

/**
 * The introspection issuer's metadata where RFC 8414 section 3.1 puts it: the well-known part before the issuer's path.
 * Keycloak serves its own issuers there and asks no provider about longer paths.
 */
@Path("/.well-known/oauth-authorization-server/realms/{realm}/api/v2")
public final class MetadataBeforePath {

    @Context
    KeycloakSession session;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response metadata(@PathParam("realm") String name) {
        RealmModel realm = session.realms().getRealmByName(name);
        if (realm == null) {
            throw new NotFoundException();
        }
        session.getContext().setRealm(realm);
        return new IntrospectionMetadata(session).response();
    }
}
