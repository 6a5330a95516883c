package io.github.checktoken.conformance;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.server.KeycloakServer;

/**
 * A realm that uses nothing of this project.
 *
 * @param registrationToken with which clients may register themselves
 */
record ConformanceRealm(
        KeycloakServer server, String issuer, AdminApi admin, String registrationToken, JsonNode metadata) {

    /** The person has a value for each claim that Keycloak's scopes know. */
    private static final String REALM = """
            {"realm": "%1$s", "enabled": true,
            "passwordPolicy": "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)", "users": [{
              "username": "person", "realmRoles": ["default-roles-%1$s"], "firstName": "Claude", "lastName": "Martin",
              "enabled": true, "email": "person@example.org", "emailVerified": true,
              "credentials": [{"type": "password", "value": "demo-password"}],
              "attributes": {
                "middleName": "1", "nickname": "1", "profile": "1", "picture": "1", "website": "1", "gender": "1",
                "birthdate": "1", "zoneinfo": "1", "locale": "1", "updatedAt": "1", "phoneNumber": "1",
                "phoneNumberVerified": "1", "street": "1", "locality": "1", "region": "1", "postal_code": "1",
                "country": "1"}}]}
            """.replace("\"1\"", "[\"1\"]");

    static ConformanceRealm create(KeycloakServer server, String name) {
        new AdminApi(server, "").create("", REALM.formatted(name));
        AdminApi admin = new AdminApi(server, name);
        JsonNode token = Http.json(admin.send("POST", "/clients-initial-access", Map.of("count", 10_000)));
        String issuer = server.realmUrl(name).toString();
        JsonNode metadata = Http.json(discover(issuer));
        return new ConformanceRealm(server, issuer, admin, token.get("token").asText(), metadata);
    }

    static HttpResponse<String> discover(String issuer) {
        return Http.send(Http.request(issuer + "/.well-known/openid-configuration"));
    }

    /** @param member of the metadata, for example {@code token_endpoint} */
    String address(String member) {
        return metadata.path(member).asText();
    }

    /** Whether a list in the metadata has all these values, which are separated by commas. */
    boolean supports(String member, String values) {
        List<String> list =
                metadata.path(member).valueStream().map(JsonNode::asText).toList();
        return list.containsAll(List.of(values.split(", ")));
    }

    /** @return the response with the server's JWK Set */
    HttpResponse<String> keys() {
        return Http.send(Http.request(address("jwks_uri")));
    }
}
