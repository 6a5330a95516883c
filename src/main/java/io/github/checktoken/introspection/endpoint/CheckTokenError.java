package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;
import org.keycloak.events.Errors;

import io.github.checktoken.keycloak.ErrorBody;

/** The errors of the endpoint: the status and JSON that the caller gets, and the error name in the Keycloak event. */
enum CheckTokenError {
    INVALID_REQUEST(400, OAuthErrorException.INVALID_REQUEST, "Required parameter missing or invalid."),
    SENT_BY_A_BROWSER(
            400,
            OAuthErrorException.INVALID_REQUEST,
            "A browser sent this. Only a server may call (no Origin header)."),
    INVALID_CLIENT(401, OAuthErrorException.INVALID_CLIENT, "Client authentication failed."),
    HTTPS_REQUIRED(403, OAuthErrorException.INVALID_REQUEST, "HTTPS required."),
    REALM_DISABLED(403, OAuthErrorException.ACCESS_DENIED, "The realm is not enabled."),
    NOT_A_DATA_PROVIDER(403, OAuthErrorException.UNAUTHORIZED_CLIENT, "The client is not a data provider."),
    METHOD_NOT_ALLOWED(405, OAuthErrorException.INVALID_REQUEST, "Only POST is supported."),
    BODY_TOO_LARGE(413, OAuthErrorException.INVALID_REQUEST, "The request body is too large."),
    UNSUPPORTED_MEDIA_TYPE(
            415, OAuthErrorException.INVALID_REQUEST, "The content type must be application/x-www-form-urlencoded."),
    SERVER_ERROR(500, OAuthErrorException.SERVER_ERROR, "The answer could not be made."),
    NO_ENCRYPTION_KEY(503, OAuthErrorException.TEMPORARILY_UNAVAILABLE, "No usable encryption key for %s: %s."),
    USER_STORE_UNAVAILABLE(503, OAuthErrorException.TEMPORARILY_UNAVAILABLE, "The user store cannot be reached."),
    NOT_NOW(503, OAuthErrorException.TEMPORARILY_UNAVAILABLE, "The server cannot answer now.");

    private static final int RETRY_AFTER_SECONDS = 5;

    private final int status;
    private final String code;
    private final String description;

    CheckTokenError(int status, String code, String description) {
        this.status = status;
        this.code = code;
        this.description = description;
    }

    /** The member {@code error} of the answer: a code of RFC 6749 section 5.2, or of 4.1.2.1. */
    String code() {
        return code;
    }

    /** @return the error of the Keycloak event, one of {@link Errors} */
    String eventError() {
        return switch (this) {
            case INVALID_CLIENT -> Errors.INVALID_CLIENT_CREDENTIALS;
            case NOT_A_DATA_PROVIDER -> Errors.NOT_ALLOWED;
            case NO_ENCRYPTION_KEY, USER_STORE_UNAVAILABLE, SERVER_ERROR -> Errors.TOKEN_INTROSPECTION_FAILED;
            default -> Errors.INVALID_REQUEST;
        };
    }

    /**
     * The error as JSON (RFC 6749 section 5.2) with {@code no-store}, and with the header that RFC 9110 requires for
     * 401 and 405.
     *
     * @param arguments values for the placeholders in the description; none if it has no placeholder
     */
    Response response(Object... arguments) {
        Response.ResponseBuilder response = new ErrorBody(code, description.formatted(arguments)).response(status);
        if (this == METHOD_NOT_ALLOWED) {
            response.header(HttpHeaders.ALLOW, "POST");
        }
        if (this == USER_STORE_UNAVAILABLE) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (this == INVALID_CLIENT) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"checktoken\"");
        }
        return response.build();
    }
}
