package io.github.checktoken.login.gate.honest;

import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.realm.AdminApi;

/** Gives each client of {@link HonestRealm} the flow of its name. */
final class HonestRealmFlows {

    private HonestRealmFlows() {}

    static void bind(AdminApi admin, Set<String> notOfAClient, HonestRealm.Kind kind) {
        for (JsonNode flow : admin.get("/authentication/flows")) {
            String alias = flow.get("alias").asText();
            if (!flow.get("builtIn").asBoolean() && !notOfAClient.contains(alias)) {
                String id = flow.get("id").asText();
                admin.update(
                        admin.client(alias),
                        client -> client.putObject("authenticationFlowBindingOverrides")
                                .put("browser", id));
            }
        }
        if (kind == HonestRealm.Kind.WITH_CHECKTOKEN) {
            admin.post(
                    "/authentication/register-required-action", Map.of("providerId", "configure-pin", "name", "PIN"));
        }
    }
}
