package io.github.checktoken.introspection.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.introspection.token.TokenSource;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A service account is not a person. Its token is active, but the answer has no level of assurance and no identity. */
@ExtendWith(KeycloakExtension.class)
public class ServiceAccountIT {

    private static final Set<String> TOKEN_MEMBERS =
            Set.of("active", "aud", "client_id", "sub", "iat", "exp", "jti", "scope");

    private final Federation federation;

    ServiceAccountIT(Federation federation) {
        this.federation = federation;
    }

    /** @param token gets a token of a service account */
    record Kind(String name, Function<TokenSource, String> token) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("without a session", TokenSource::serviceAccount),
                new Kind("lightweight", it -> it.lightweight().serviceAccount()),
                new Kind("with a session", TokenSource::serviceAccountWithASession),
                new Kind("with a session, refreshed", it -> it.refresh(it.withRefreshToken())),
                new Kind("exchanged", it -> it.exchanged(it.serviceAccount())),
                new Kind("with a session, exchanged", it -> it.exchanged(it.serviceAccountWithASession())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void hasNeitherLevelNorIdentity(Kind kind) {
        try (TokenSource source = new TokenSource(federation)) {
            nameTheUserLikeAPerson(source);
            String token = kind.token().apply(source);

            Map<String, Object> tax = federation.tax().check(token).introspection();
            Map<String, Object> health = federation.health().check(token).introspection();

            assertEquals(true, tax.get("active"));
            assertEquals(new TreeSet<>(TOKEN_MEMBERS), new TreeSet<>(tax.keySet()));
            assertEquals(source.serviceProvider().clientId(), tax.get("client_id"));
            assertNotEquals(health.get("sub"), tax.get("sub"), "each data provider must get its own subject");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void hasOneSubjectAtADataProvider(Kind kind) {
        try (TokenSource source = new TokenSource(federation)) {
            DataProviderClient dataProvider = federation.newDataProvider().create();
            String first = source.serviceAccount();
            String token = kind.token().apply(source);

            assertEquals(
                    dataProvider.check(first).introspection().get("sub"),
                    dataProvider.check(token).introspection().get("sub"));
        }
    }

    /** Claims that a mapper of the service provider puts into the token, and by which Keycloak finds the user. */
    static Stream<Map<String, String>> claimsOfAPerson() {
        return Stream.of(Map.of("sub", "id of camille"), Map.of("sub", "nobody", "preferred_username", "camille"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claimsOfAPerson")
    void claimsDoNotMakeAPersonOfIt(Map<String, String> claims) {
        try (TokenSource source = new TokenSource(federation)) {
            String camille = federation.admin().user("camille").substring("/users/".length());
            claims.forEach((claim, value) -> source.mapping(claim, value.replace("id of camille", camille)));
            for (String token : List.of(source.serviceAccount(), source.exchanged(source.serviceAccount()))) {
                assertTrue(source.activeForKeycloak(token), "Keycloak's own introspection must find the token active");
                DataProviderClient dataProvider = federation.newDataProvider().create();
                assertEquals(Map.of("active", false), dataProvider.check(token).introspection());
                JsonNode event = federation
                        .admin()
                        .get("/events?client=" + dataProvider.clientId())
                        .get(0);
                assertEquals("invalid_token", event.get("error").asText());
                assertEquals(
                        "Without a session, and not its client's service account",
                        event.at("/details/reason").asText());
            }
        }
    }

    @Test
    void claimsDoNotMakeAnotherClientOfIt() {
        try (TokenSource other = new TokenSource(federation);
                TokenSource source = new TokenSource(federation)) {
            String account = federation
                    .admin()
                    .user("service-account-" + other.serviceProvider().clientId())
                    .substring("/users/".length());
            source.mapping("sub", account);

            assertFalse(federation.tax().check(source.serviceAccount()).active());
        }
    }

    /** An administrator can give a service account the names that the mappers read. It is still not a person. */
    private void nameTheUserLikeAPerson(TokenSource source) {
        AdminApi admin = federation.admin();
        admin.update(
                admin.user("service-account-" + source.serviceProvider().clientId()),
                user -> user.put("firstName", "Camille").put("lastName", "Moreau"));
    }
}
