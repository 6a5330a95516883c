package io.github.checktoken.introspection.endpoint;

import jakarta.ws.rs.core.Response;

/** Rejects a call: the caller gets the {@link CheckTokenError}; the reason goes only to the Keycloak event. */
final class CheckTokenException extends Exception {

    private final CheckTokenError error;
    private final String[] arguments;

    /**
     * @param reason in English, for the event
     * @param arguments values for the placeholders in the error's description
     */
    CheckTokenException(CheckTokenError error, String reason, String... arguments) {
        super(reason);
        this.error = error;
        this.arguments = arguments;
    }

    CheckTokenError error() {
        return error;
    }

    Response response() {
        return error.response((Object[]) arguments);
    }
}
