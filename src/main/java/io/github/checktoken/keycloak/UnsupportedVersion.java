package io.github.checktoken.keycloak;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.OAuthErrorException;

/** Says to a caller that this version of Keycloak lacks something. What it is, the log says, and is no concern of the caller. */
public final class UnsupportedVersion extends WebApplicationException {

    private static final long serialVersionUID = 1L;

    public UnsupportedVersion() {
        super(new ErrorBody(
                        OAuthErrorException.TEMPORARILY_UNAVAILABLE,
                        "The service does not support this version of Keycloak.")
                .response(503)
                .build());
    }
}
