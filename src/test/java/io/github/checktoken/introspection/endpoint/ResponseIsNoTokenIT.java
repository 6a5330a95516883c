package io.github.checktoken.introspection.endpoint;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.github.checktoken.introspection.token.TokenSource;
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
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        try (TokenSource source = new TokenSource(federation)) {
            assertTrue(source.activeForKeycloak(accessToken(source)), "the client must be allowed to introspect");
            for (String answer : answers) {
                assertFalse(source.activeForKeycloak(answer));
            }
        }
    }

    @Test
    void asSubjectToken() {
        try (TokenSource source = new TokenSource(federation)) {
            assertEquals(200, exchange(source, accessToken(source)), "the client must be allowed to exchange");
            for (String answer : answers) {
                assertEquals(400, exchange(source, answer));
            }
        }
    }

    @Test
    void asRefreshTokenOrIdTokenHint() {
        for (String answer : answers) {
            assertEquals(
                    400,
                    town.post(
                                    "/protocol/openid-connect/token",
                                    Map.of("grant_type", "refresh_token", "refresh_token", answer))
                            .statusCode());
            assertEquals(
                    400,
                    Http.send(Http.request(
                                    federation.url() + "/protocol/openid-connect/logout?id_token_hint=" + answer))
                            .statusCode());
        }
    }

    private static String accessToken(TokenSource source) {
        return source.serviceProvider().signIn("camille", "openid").accessToken();
    }

    private static int exchange(TokenSource source, String subject) {
        return source.serviceProvider()
                .post(
                        "/protocol/openid-connect/token",
                        Map.of(
                                "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                                "subject_token", subject,
                                "subject_token_type", "urn:ietf:params:oauth:token-type:access_token"))
                .statusCode();
    }
}
