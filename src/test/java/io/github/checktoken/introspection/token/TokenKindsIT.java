package io.github.checktoken.introspection.token;

import java.util.function.Function;
import java.util.stream.Stream;

import io.github.checktoken.introspection.endpoint.ServiceAccountIT;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.checktoken.introspection.token.TokenSource.OFFLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Tests every kind of access token in its different states. It must be active here exactly if Keycloak's own
 * introspection finds it active. The exceptions have their own tests: {@link ImpersonationIT}, and
 * {@link ServiceAccountIT} for a service account whose token names a person.
 */
@ExtendWith(KeycloakExtension.class)
class TokenKindsIT {

    private final Federation federation;

    TokenKindsIT(Federation federation) {
        this.federation = federation;
    }

    /** @param token gets a token and brings it into its state */
    record Kind(String name, boolean active, Function<TokenSource, String> token) {
        @Override
        public String toString() {
            return name + (active ? ": active" : ": not active");
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("online", true, it -> it.signIn("openid").accessToken()),
                new Kind("online, refreshed", true, it -> it.refresh(it.signIn("openid"))),
                new Kind("online, logged out", false, it -> it.loggedOut(it.signIn("openid"))),
                new Kind("online, revoked", false, it -> it.revoked(it.signIn("openid"))),
                new Kind(
                        "type in lower case",
                        true,
                        it -> it.lowerCaseType().signIn("openid").accessToken()),
                new Kind(
                        "lightweight",
                        true,
                        it -> it.lightweight().signIn("openid").accessToken()),
                new Kind(
                        "lightweight, refreshed",
                        true,
                        it -> it.refresh(it.lightweight().signIn("openid"))),
                new Kind(
                        "lightweight, logged out",
                        false,
                        it -> it.loggedOut(it.lightweight().signIn("openid"))),
                new Kind(
                        "lightweight, revoked",
                        false,
                        it -> it.revoked(it.lightweight().signIn("openid"))),
                new Kind("offline", true, it -> it.signIn(OFFLINE).accessToken()),
                new Kind("offline, refreshed", true, it -> it.refresh(it.signIn(OFFLINE))),
                new Kind("offline, online session logged out", true, TokenSource::offlineAfterTheOnlineSession),
                new Kind("offline, session revoked", false, it -> it.sessionRevoked(it.signIn(OFFLINE))),
                new Kind("offline, consent withdrawn", false, it -> it.offlineWithoutConsent(it.signIn(OFFLINE))),
                new Kind(
                        "offline, lightweight",
                        true,
                        it -> it.refresh(it.lightweight().signIn(OFFLINE))),
                new Kind(
                        "exchanged",
                        true,
                        it -> it.exchanged(it.signIn("openid").accessToken())),
                new Kind("exchanged, subject logged out", false, TokenSource::exchangedAfterTheSession),
                new Kind("exchanged, exchanging client disabled", false, TokenSource::exchangedByADisabledClient),
                new Kind("exchanged from a service account's", true, it -> it.exchanged(it.serviceAccount())),
                new Kind("service account", true, TokenSource::serviceAccount),
                new Kind(
                        "service account, lightweight",
                        true,
                        it -> it.lightweight().serviceAccount()),
                new Kind("service account, revoked", false, TokenSource::serviceAccountRevoked),
                new Kind("service account, client disabled", false, TokenSource::serviceAccountOfADisabledClient),
                new Kind("service account, user disabled", false, TokenSource::serviceAccountWithADisabledUser),
                new Kind("service account, with a session", true, TokenSource::serviceAccountWithASession),
                new Kind("service account, session ended", false, TokenSource::serviceAccountAfterItsSession),
                new Kind("JWT authorization grant", true, TokenSource::vouchedFor));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void isActiveExactlyWhenKeycloakSaysSo(Kind kind) {
        try (TokenSource source = new TokenSource(federation)) {
            String token = kind.token().apply(source);

            assertEquals(kind.active(), source.activeForKeycloak(token), "active by Keycloak's own introspection");
            assertEquals(
                    kind.active(),
                    federation.tax().check(token).active(),
                    () -> "active by checktoken, for " + Tokens.claims(token));
        }
    }
}
