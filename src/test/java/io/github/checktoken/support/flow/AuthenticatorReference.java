package io.github.checktoken.support.flow;

import java.util.Map;
import java.util.UUID;

import io.github.checktoken.support.realm.AdminApi;

/** Sets an Authenticator Reference on an execution of the demo realm's browser flow, until it is closed. */
public final class AuthenticatorReference implements AutoCloseable {

    private final AdminApi admin;
    private final String id;

    /** @param config {@code default.reference.value}, and {@code default.reference.maxAge} in seconds */
    public AuthenticatorReference(AdminApi admin, String authenticator, Map<String, String> config) {
        this.admin = admin;
        String execution =
                admin.execution("federation browser", authenticator).get("id").asText();
        this.id = admin.create(
                "/authentication/executions/" + execution + "/config",
                Map.of("alias", "reference " + UUID.randomUUID(), "config", config));
    }

    @Override
    public void close() {
        admin.delete("/authentication/config/" + id);
    }
}
