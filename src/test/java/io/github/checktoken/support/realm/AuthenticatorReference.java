package io.github.checktoken.support.realm;

import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

/** An administrator's Authenticator Reference on an execution of the demo realm's browser flow, until it is closed. */
public final class AuthenticatorReference implements AutoCloseable {

    private final AdminApi admin;
    private final String id;

    /** @param config {@code default.reference.value}, and {@code default.reference.maxAge} in seconds */
    public AuthenticatorReference(AdminApi admin, String authenticator, Map<String, String> config) {
        this.admin = admin;
        this.id = admin.create(
                "/authentication/executions/" + execution(authenticator) + "/config",
                Map.of("alias", "reference " + UUID.randomUUID(), "config", config));
    }

    @Override
    public void close() {
        admin.delete("/authentication/config/" + id);
    }

    private String execution(String authenticator) {
        for (JsonNode execution : admin.get("/authentication/flows/federation%20browser/executions")) {
            if (authenticator.equals(execution.path("providerId").asText())) {
                return execution.get("id").asText();
            }
        }
        throw new AssertionError("no execution of " + authenticator);
    }
}
