package io.github.checktoken.keycloak;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.representations.idm.OAuth2ErrorRepresentation;

/**
 * The body of this project's errors, as JSON (RFC 6749 section 5.2). It is a type of its own so that our response filter
 * can tell our errors from Keycloak's: another extension can set any header, but it cannot make this body.
 */
public final class ErrorBody extends OAuth2ErrorRepresentation {

    /** @param description in English, for the developer of the caller */
    public ErrorBody(String error, String description) {
        super(error, description);
    }

    /** @return a response with this body, which nobody may store */
    public Response.ResponseBuilder response(int status) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .entity(this);
    }
}
