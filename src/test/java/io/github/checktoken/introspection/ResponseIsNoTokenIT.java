package io.github.checktoken.introspection;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Keycloak must not accept an answer as a token anywhere, neither the encrypted answer nor the decrypted one. */
@ExtendWith(KeycloakExtension.class)
class ResponseIsNoTokenIT {

    private final Federation federation;
    private final ServiceProvider town;
    private List<String> answers;

    ResponseIsNoTokenIT(Federation federation) {
        this.federation = federation;
        this.town = federation.town();
    }

    @BeforeEach
    void ask() {
        DataProviderClient tax = federation.tax();
        String encrypted =
                tax.post(town.signIn("camille", "openid").accessToken()).body();
        answers = List.of(encrypted, tax.decrypt(encrypted));
    }

    @Test
    void asBearerToken() {
        String server = federation.server().baseUrl().toString();
        List<String> endpoints = List.of(
                federation.url() + "/protocol/openid-connect/userinfo",
                federation.url() + "/account/",
                server + "/admin/realms/" + federation.realm() + "/users");
        for (String answer : answers) {
            for (String endpoint : endpoints) {
                HttpResponse<String> response = Http.send(Http.request(endpoint)
                        .header("Authorization", "Bearer " + answer)
                        .header("Accept", "application/json"));
                assertEquals(401, response.statusCode(), endpoint);
            }
        }
    }

    @Test
    void atKeycloaksIntrospection() {
        for (String answer : answers) {
            HttpResponse<String> response =
                    town.post("/protocol/openid-connect/token/introspect", Map.of("token", answer));
            assertFalse(response.body().contains("\"active\":true"), response.body());
        }
    }

    @Test
    void asRefreshTokenSubjectTokenOrIdTokenHint() {
        for (String answer : answers) {
            assertEquals(
                    400,
                    town.post(
                                    "/protocol/openid-connect/token",
                                    Map.of("grant_type", "refresh_token", "refresh_token", answer))
                            .statusCode());
            assertEquals(
                    400,
                    town.post(
                                    "/protocol/openid-connect/token",
                                    Map.of(
                                            "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                                            "subject_token", answer,
                                            "subject_token_type", "urn:ietf:params:oauth:token-type:access_token"))
                            .statusCode());
            assertEquals(
                    400,
                    Http.send(Http.request(
                                    federation.url() + "/protocol/openid-connect/logout?id_token_hint=" + answer))
                            .statusCode());
        }
    }
}
