package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests what administrators see of the guard: {@code GET /admin/realms/{realm}/checktoken/guard}. */
@ExtendWith(KeycloakExtension.class)
class GuardStatusIT {

    private final AdminApi admin;

    GuardStatusIT(KeycloakServer server) {
        this.admin = new FreshRealm(server).admin();
    }

    @Test
    void attributeOfTheRealmIsAReason() {
        assertGuard(true, "realm_on", true);
        setAttribute("checktoken.login.gate", "off");
        assertGuard(false, "realm_off", false);
    }

    @Test
    void useIsAReason() {
        setAttribute("checktoken.login.gate", "");
        assertGuard(false, "unused", false);
        admin.create(
                "/client-scopes",
                Map.of(
                        "name",
                        "amr",
                        "protocol",
                        "openid-connect",
                        "protocolMappers",
                        List.of(Map.of(
                                "name",
                                "amr",
                                "protocol",
                                "openid-connect",
                                "protocolMapper",
                                "oidc-requested-amr-mapper"))));
        assertGuard(true, "used", true);
    }

    @Test
    void realmThatDoesWithoutTheGuardTellsMethods() {
        setAttribute("checktoken.login.gate", "off");
        setAttribute("checktoken.login.unguarded", "true");
        assertGuard(false, "realm_off", true);
    }

    private void setAttribute(String name, String value) {
        admin.update("", realm -> realm.withObject("/attributes").put(name, value));
    }

    private void assertGuard(boolean guarded, String reason, boolean told) {
        JsonNode expected =
                Http.json("{\"guarded\":%s,\"reason\":\"%s\",\"methodsTold\":%s}".formatted(guarded, reason, told));
        assertEquals(expected, admin.get("/checktoken/guard"));
    }
}
