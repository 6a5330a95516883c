package io.github.checktoken.guest.realm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Totp;
import io.github.checktoken.support.flow.FlowText;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.GivenKey;
import io.github.checktoken.support.server.KeycloakServer;
import io.github.checktoken.support.server.MailServer;

/** What a {@link GuestRealm} and its identity provider are made of. */
record GuestRealmJson(KeycloakServer server, MailServer mailServer, String name, String gate) {

    void create(AdminApi admin) {
        AdminApi realms = new AdminApi(server, "");
        Map<String, Object> upstream = realm(name + "-upstream");
        upstream.put("clients", List.of(GuestClients.client(name, server.realmUrl(name) + "/broker/*")));
        realms.create("", GivenKey.IDENTITY_PROVIDER.addTo(upstream));
        realms.create("", GivenKey.REALM.addTo(json()));
        createProvider(admin, "provider", "link-by-password");
        createProvider(admin, "provider-without-search", "link-without-search");
    }

    private Map<String, Object> json() {
        FlowText text = FlowText.load("/guest-flows.txt");
        Map<String, Object> realm = realm(name);
        realm.put("registrationAllowed", true);
        realm.put("resetPasswordAllowed", true);
        realm.put("smtpServer", mailServer.settings());
        realm.put("roles", Map.of("realm", List.of(Map.of("name", "trusted"))));
        realm.putAll(Totp.POLICY);
        List<Map<String, Object>> flows = text.flows();
        realm.put("authenticationFlows", flows);
        realm.put("authenticatorConfig", configs(text));
        realm.put("clients", GuestClients.all(flows));
        if (gate != null) {
            realm.put("attributes", Map.of("checktoken.login.gate", gate));
        }
        return realm;
    }

    /** In the text of a flow, a setting cannot have a space. */
    private static JsonNode configs(FlowText text) {
        JsonNode configs = Http.JSON.valueToTree(text.configs());
        configs.forEach(each -> each.get("config")
                .properties()
                .forEach(setting -> setting.setValue(
                        new TextNode(setting.getValue().asText().replace('_', ' ')))));
        return configs;
    }

    private static Map<String, Object> realm(String name) {
        return new HashMap<>(Map.of(
                "realm",
                name,
                "enabled",
                true,
                "passwordPolicy",
                "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)"));
    }

    private void createProvider(AdminApi admin, String alias, String firstLogin) {
        String endpoints = server.realmUrl(name + "-upstream") + "/protocol/openid-connect/";
        Map<String, String> config = Map.of(
                "clientId",
                name,
                "clientSecret",
                GuestClients.SECRET,
                "clientAuthMethod",
                "client_secret_post",
                "authorizationUrl",
                endpoints + "auth",
                "tokenUrl",
                endpoints + "token",
                "validateSignature",
                "false",
                "disableUserInfo",
                "true",
                "defaultScope",
                "openid profile email");
        admin.create(
                "/identity-provider/instances",
                Map.of(
                        "alias", alias,
                        "providerId", "oidc",
                        "enabled", true,
                        "firstBrokerLoginFlowAlias", firstLogin,
                        "config", config));
    }
}
