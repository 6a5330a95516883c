package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.checktoken.introspection.token.TokenSource.OFFLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An administrator who acts as a person is not that person. So for data providers such a token is not active. */
@ExtendWith(KeycloakExtension.class)
class ImpersonationIT {

    private final Federation federation;

    ImpersonationIT(Federation federation) {
        this.federation = federation;
    }

    /** @param token gets a token of an impersonated session */
    record Kind(String name, Function<TokenSource, String> token) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("single sign-on", it -> it.signIn("openid").accessToken()),
                new Kind("refreshed", it -> it.refresh(it.signIn("openid"))),
                new Kind("lightweight", it -> it.lightweight().signIn("openid").accessToken()),
                new Kind(
                        "lightweight, refreshed",
                        it -> it.refresh(it.lightweight().signIn("openid"))),
                new Kind("after the password was given as well", TokenSource::impersonatedWithThePassword),
                new Kind("offline", it -> it.signIn(OFFLINE).accessToken()),
                new Kind("offline, refreshed", it -> it.refresh(it.signIn(OFFLINE))),
                new Kind("offline, online session logged out", TokenSource::impersonatedOfflineAfterTheOnlineSession),
                new Kind("exchanged", it -> it.exchanged(it.signIn("openid").accessToken())),
                new Kind(
                        "exchanged twice",
                        it -> it.exchanged(it.exchanged(it.signIn("openid").accessToken()))),
                new Kind(
                        "offline, exchanged",
                        it -> it.exchanged(it.signIn(OFFLINE).accessToken())),
                new Kind("device, allowed by the administrator", TokenSource::impersonatedDevice),
                new Kind(
                        "permissions (UMA)",
                        it -> it.withPermissions(it.signIn("openid").accessToken())),
                new Kind("exchanged for another person's", TokenSource::exchangedForAnotherPersons),
                new Kind(
                        "exchanged for another person's, exchanged",
                        it -> it.exchanged(it.exchangedForAnotherPersons())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void isNotActiveAlthoughKeycloakSaysSo(Kind kind) {
        try (TokenSource source = new TokenSource(federation).impersonated()) {
            String token = kind.token().apply(source);

            assertTrue(source.activeForKeycloak(token), "Keycloak's own introspection must find the token active");
            assertInactive(token);
        }
    }

    @Test
    void singleSignOnAtOtherServiceProvidersIsNotActiveEither() {
        try (TokenSource source = new TokenSource(federation).impersonated()) {
            source.signIn("openid");
            assertInactive(source.ssoWithoutALevel(federation.town(), "openid").accessToken());
            assertInactive(source.ssoWithoutALevel(federation.bank(), "openid").accessToken());
        }
    }

    /** The page at which the login waits ends it in a session of its own. */
    @Test
    void isNotActiveEitherIfTheLoginHadBegunBefore() {
        try (TokenSource source = new TokenSource(federation).impersonatedAfterALoginPage()) {
            assertInactive(source.impersonatedDevice());
        }
    }

    @Test
    void thePersonsOwnSessionStaysActive() {
        String before = federation.town().signIn("camille", "openid").accessToken();
        try (TokenSource source = new TokenSource(federation).impersonated()) {
            source.signIn("openid");
        }
        String after = federation.town().signIn("camille", "openid").accessToken();

        assertTrue(federation.tax().check(before).active());
        assertTrue(federation.tax().check(after).active());
    }

    private void assertInactive(String token) {
        DataProviderClient dataProvider = federation.newDataProvider().create();
        assertEquals(Map.of("active", false), dataProvider.check(token).introspection());
        JsonNode events = federation.admin().get("/events?client=" + dataProvider.clientId());
        assertEquals(1, events.size());
        assertEquals("INTROSPECT_TOKEN_ERROR", events.get(0).get("type").asText());
        assertEquals("invalid_token", events.get(0).get("error").asText());
        assertEquals("Impersonated session", events.get(0).at("/details/reason").asText());
    }
}
