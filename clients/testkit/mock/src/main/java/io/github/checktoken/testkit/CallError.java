package io.github.checktoken.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

import com.nimbusds.jose.util.JSONObjectUtils;

/** What the platform answers to a call that it refuses, as {@code docs/openapi.yaml} has it. */
enum CallError {
    INVALID_REQUEST(400, "invalid_request", "Required parameter missing or invalid."),
    INVALID_CLIENT(401, "invalid_client", "Client authentication failed."),
    METHOD_NOT_ALLOWED(405, "invalid_request", "Only POST is supported."),
    BODY_TOO_LARGE(413, "invalid_request", "The request body is too large."),
    UNSUPPORTED_MEDIA_TYPE(415, "invalid_request", "The content type must be application/x-www-form-urlencoded.");

    private final int status;
    private final String code;
    private final String description;

    CallError(int status, String code, String description) {
        this.status = status;
        this.code = code;
        this.description = description;
    }

    MockAnswer answer() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Cache-Control", "no-store");
        if (this == INVALID_CLIENT) {
            headers.put("WWW-Authenticate", "Basic realm=\"checktoken\"");
        }
        if (this == METHOD_NOT_ALLOWED) {
            headers.put("Allow", "POST");
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", code);
        body.put("error_description", description);
        return new MockAnswer(status, headers, JSONObjectUtils.toJSONString(body), false);
    }

    /** Ends the call with this error. */
    static final class Refusal extends Exception {

        private static final long serialVersionUID = 1;

        private final transient CallError error;

        Refusal(CallError error) {
            super(error.description);
            this.error = error;
        }

        MockAnswer answer() {
            return error.answer();
        }
    }
}
