package io.github.checktoken.guest.realm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The applications of a {@link GuestRealm}. Each browser flow has one of its own name. */
final class GuestClients {

    static final String CALLBACK = "http://localhost:8999/callback";
    static final String SECRET = "secret-of-the-guest-realm";

    private static final Set<String> FIRST_LOGINS = Set.of("link-by-password", "link-without-search");

    private GuestClients() {}

    /** @param flows the realm's own flows, with their ids */
    static List<Map<String, Object>> all(List<Map<String, Object>> flows) {
        List<Map<String, Object>> clients = new ArrayList<>();
        clients.add(client("app", CALLBACK));
        clients.add(client("other", CALLBACK));
        IntStream.rangeClosed(1, 6).forEach(i -> clients.add(client("portal-" + i, CALLBACK)));
        clients.add(documents());
        for (Map<String, Object> flow : flows) {
            String alias = flow.get("alias").toString();
            if (flow.get("topLevel").equals(true) && !FIRST_LOGINS.contains(alias)) {
                Map<String, Object> client = client(alias, CALLBACK);
                client.put("authenticationFlowBindingOverrides", Map.of("browser", flow.get("id")));
                clients.add(client);
            }
        }
        return clients;
    }

    static Map<String, Object> client(String clientId, String redirectUri) {
        return new HashMap<>(Map.of(
                "clientId",
                clientId,
                "secret",
                SECRET,
                "redirectUris",
                List.of(redirectUri),
                "attributes",
                Map.of("post.logout.redirect.uris", CALLBACK)));
    }

    /** A policy enforcer's client, whose resource everybody may use. */
    private static Map<String, Object> documents() {
        Map<String, Object> client = client("documents", CALLBACK);
        client.put("serviceAccountsEnabled", true);
        client.put("authorizationServicesEnabled", true);
        client.put(
                "authorizationSettings",
                Map.of(
                        "policyEnforcementMode",
                        "PERMISSIVE",
                        "resources",
                        List.of(Map.of("name", "document", "type", "document"))));
        return client;
    }
}
