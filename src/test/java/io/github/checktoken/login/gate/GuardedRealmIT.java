package io.github.checktoken.login.gate;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.keycloak.LoginGuard;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.FreshRealm;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A realm in which a username alone is enough: it is only guarded once it uses what stands on the guard. */
@ExtendWith(KeycloakExtension.class)
class GuardedRealmIT {

    private static final int REFUSED = 403;
    private static final int SIGNED_IN = 302;

    private final FreshRealm realm;
    private final AdminApi admin;

    GuardedRealmIT(KeycloakServer server) {
        realm = new FreshRealm(server);
        admin = realm.admin();
        admin.create(
                "/authentication/flows",
                Map.of("alias", "kiosk", "providerId", "basic-flow", "topLevel", true, "builtIn", false));
        admin.post("/authentication/flows/kiosk/executions/execution", Map.of("provider", "auth-username-form"));
        ObjectNode form = (ObjectNode) admin.execution("kiosk", "auth-username-form");
        admin.put("/authentication/flows/kiosk/executions", form.put("requirement", "REQUIRED"));
        guard("");
        admin.update("", settings -> settings.put("browserFlow", "kiosk"));
    }

    @Test
    void realmThatUsesNothingIsNotGuarded() {
        assertEquals(SIGNED_IN, signInByName());
    }

    @Test
    void realmThatTellsMethodsIsGuarded() {
        assertEquals(SIGNED_IN, signInByName());
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
        assertEquals(REFUSED, signInByName());
    }

    @Test
    void attributeDecides() {
        guard("on");
        assertEquals(REFUSED, signInByName());
        guard("off");
        assertEquals(SIGNED_IN, signInByName());
    }

    private void guard(String value) {
        admin.update("", settings -> settings.withObject("/attributes").put(LoginGuard.REALM_ATTRIBUTE, value));
    }

    private int signInByName() {
        Browser browser = realm.browser();
        HttpResponse<String> page = browser.get(realm.request());
        return browser.submit(page, Map.of("username", realm.newPerson())).statusCode();
    }
}
