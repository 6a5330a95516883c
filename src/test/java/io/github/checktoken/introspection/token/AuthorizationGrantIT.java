package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.stream.Stream;

import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A token of the JWT authorization grant (RFC 7523) has no session. Its person is the one of the assertion. */
@ExtendWith(KeycloakExtension.class)
class AuthorizationGrantIT {

    private final Federation federation;

    AuthorizationGrantIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void tellsThePersonOfTheAssertion() {
        try (TokenSource source = new TokenSource(federation)) {
            DataProviderClient dataProvider = federation.newDataProvider().create();
            Object subject = subject(
                    dataProvider, federation.town().signIn("lucien", "openid").accessToken());

            assertEquals(subject, subject(dataProvider, source.vouchedFor("lucien")));
        }
    }

    @Test
    void hasNoLevelOfAssurance() {
        try (TokenSource source = new TokenSource(federation)) {
            assertFalse(federation
                    .tax()
                    .check(source.vouchedFor("lucien"))
                    .introspection()
                    .containsKey("acr"));
        }
    }

    /** Keycloak 26.5 removes any entry of its store that a client sends as {@code request_uri}. */
    @Test
    void isNotEndedByWhoKnowsItsId() {
        try (TokenSource source = new TokenSource(federation)) {
            String token = source.vouchedFor("lucien");
            String entry =
                    "checktoken.granted." + Tokens.claims(token).get("jti").asText();
            Http.send(Http.request(federation.url() + "/protocol/openid-connect/auth?client_id=sp-town&request_uri="
                    + Http.encode("urn:ietf:params:oauth:request_uri:" + entry)));

            assertTrue(federation.tax().check(token).active());
        }
    }

    /** Claims that a mapper of the service provider puts into the token, and by which Keycloak finds the user. */
    static Stream<Map<String, String>> claimsOfAnotherPerson() {
        return Stream.of(Map.of("sub", "id of camille"), Map.of("sub", "nobody", "preferred_username", "camille"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claimsOfAnotherPerson")
    void isNotActiveIfItsClaimsNameAnotherPerson(Map<String, String> claims) {
        try (TokenSource source = new TokenSource(federation)) {
            String camille = federation.admin().user("camille").substring("/users/".length());
            claims.forEach((claim, value) -> source.mapping(claim, value.replace("id of camille", camille)));
            String token = source.vouchedFor("lucien");

            assertTrue(source.activeForKeycloak(token), "Keycloak's own introspection must find the token active");
            DataProviderClient dataProvider = federation.newDataProvider().create();
            assertEquals(Map.of("active", false), dataProvider.check(token).introspection());
            assertEquals(
                    "Without a session, and its user is not the one of the grant",
                    federation
                            .admin()
                            .get("/events?client=" + dataProvider.clientId())
                            .get(0)
                            .at("/details/reason")
                            .asText());
        }
    }

    private static Object subject(DataProviderClient dataProvider, String token) {
        return dataProvider.check(token).introspection().get("sub");
    }
}
