package io.github.checktoken.introspection;

import jakarta.ws.rs.core.Response;

/** Ends a call: {@link CheckTokenError} goes to the caller, the reason to the Keycloak event only. */
final class CheckTokenException extends Exception {

    private final CheckTokenError error;
    private final String[] arguments;

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
