package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;

import io.github.checktoken.keycloak.ErrorBody;

/**
 * Answers 503 at all paths of a resource that this version of Keycloak does not support. Why is in the log, and no
 * concern of the caller.
 */
public final class UnavailableResource {

    @GET
    public Response get() {
        return response();
    }

    @POST
    public Response post() {
        return response();
    }

    @GET
    @Path("{path: .+}")
    public Response getBelow() {
        return response();
    }

    @POST
    @Path("{path: .+}")
    public Response postBelow() {
        return response();
    }

    private static Response response() {
        return Response.status(Response.Status.SERVICE_UNAVAILABLE)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .entity(new ErrorBody(
                        OAuthErrorException.TEMPORARILY_UNAVAILABLE,
                        "The service does not support this version of Keycloak."))
                .build();
    }
}
