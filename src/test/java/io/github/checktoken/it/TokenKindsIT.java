package io.github.checktoken.it;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.AdminApi;
import io.github.checktoken.support.Browser;
import io.github.checktoken.support.Federation;
import io.github.checktoken.support.Http;
import io.github.checktoken.support.KeycloakExtension;
import io.github.checktoken.support.NewDataProvider;
import io.github.checktoken.support.ServiceProvider;
import io.github.checktoken.support.Tokens;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every kind of access token in every state of what it rests on: active here exactly when Keycloak's own introspection
 * says so. That one is asked by a client in the token's audience, as it wants to be.
 */
@ExtendWith(KeycloakExtension.class)
class TokenKindsIT {

    private static final String SECRET = "demo-secret";
    private static final String REDIRECT = "https://sp.example.org/callback";
    private static final String OFFLINE = "openid offline_access";
    private static final String LIGHTWEIGHT = "client.use.lightweight.access.token.enabled";

    private final Federation federation;
    private final AdminApi admin;
    private ServiceProvider serviceProvider;
    private ServiceProvider audience;
    private String path;
    private String audiencePath;

    TokenKindsIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
    }

    /** @param token makes one and brings it into its state, for the instance that runs the row */
    record Kind(String name, boolean active, Function<TokenKindsIT, String> token) {
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
                new Kind("offline, online session logged out", true, TokenKindsIT::offlineAfterTheOnlineSession),
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
                new Kind("exchanged, subject logged out", false, TokenKindsIT::exchangedAfterTheSession),
                new Kind("exchanged, exchanging client disabled", false, TokenKindsIT::exchangedByADisabledClient),
                new Kind("exchanged from a service account's", true, it -> it.exchanged(it.serviceAccount())),
                new Kind("service account", true, TokenKindsIT::serviceAccount),
                new Kind(
                        "service account, lightweight",
                        true,
                        it -> it.lightweight().serviceAccount()),
                new Kind("service account, revoked", false, TokenKindsIT::serviceAccountRevoked),
                new Kind("service account, client disabled", false, TokenKindsIT::serviceAccountOfADisabledClient),
                new Kind("service account, user disabled", false, TokenKindsIT::serviceAccountWithADisabledUser),
                new Kind("service account, with a session", true, TokenKindsIT::serviceAccountWithASession),
                new Kind("service account, session ended", false, TokenKindsIT::serviceAccountAfterItsSession));
    }

    @BeforeEach
    void register() {
        String addressee = "audience-" + UUID.randomUUID();
        String exchanger = "sp-" + UUID.randomUUID();
        audiencePath = create(addressee, Map.of());
        path = create(
                exchanger,
                Map.of(
                        "serviceAccountsEnabled",
                        true,
                        "redirectUris",
                        List.of(REDIRECT),
                        "attributes",
                        Map.of("standard.token.exchange.enabled", "true"),
                        "optionalClientScopes",
                        List.of("offline_access"),
                        "protocolMappers",
                        List.of(inAudience(addressee), inAudience(exchanger))));
        audience = client(addressee);
        serviceProvider = client(exchanger);
    }

    @AfterEach
    void unregister() {
        admin.delete(path);
        admin.delete(audiencePath);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void isActiveExactlyWhenKeycloakSaysSo(Kind kind) {
        String token = kind.token().apply(this);

        assertEquals(kind.active(), activeForKeycloak(token), "Keycloak's own introspection");
        assertEquals(
                kind.active(), federation.tax().check(token).active(), () -> "checktoken, of " + Tokens.claims(token));
    }

    private boolean activeForKeycloak(String token) {
        return Http.json(audience.post("/protocol/openid-connect/token/introspect", Map.of("token", token)))
                .get("active")
                .asBoolean();
    }

    private Tokens signIn(String scope) {
        return serviceProvider.signIn("camille", scope);
    }

    private TokenKindsIT lightweight() {
        attribute(LIGHTWEIGHT, "true");
        return this;
    }

    private String refresh(Tokens tokens) {
        return serviceProvider.refresh(tokens).accessToken();
    }

    private String loggedOut(Tokens tokens) {
        serviceProvider.logOut(tokens);
        return tokens.accessToken();
    }

    private String revoked(Tokens tokens) {
        serviceProvider.revoke(tokens.accessToken());
        return tokens.accessToken();
    }

    /** The token of a second login in the browser that ends; the first one's is an offline session's. */
    private String offlineAfterTheOnlineSession() {
        Browser browser = new Browser(federation.server());
        Tokens offline = serviceProvider.signIn(browser, "camille", OFFLINE);
        serviceProvider.logOut(serviceProvider.signIn(browser, "camille", "openid"));
        return refresh(offline);
    }

    private String sessionRevoked(Tokens offline) {
        String token = refresh(offline);
        serviceProvider.revoke(offline.refreshToken());
        return token;
    }

    private String offlineWithoutConsent(Tokens offline) {
        String token = refresh(offline);
        admin.delete(admin.user("camille") + "/consents/" + serviceProvider.clientId());
        return token;
    }

    private String exchanged(String subject) {
        return serviceProvider
                .token(Map.of(
                        "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token_type", "urn:ietf:params:oauth:token-type:access_token",
                        "subject_token", subject))
                .accessToken();
    }

    private String exchangedAfterTheSession() {
        Tokens subject = signIn("openid");
        String token = exchanged(subject.accessToken());
        serviceProvider.logOut(subject);
        return token;
    }

    private String exchangedByADisabledClient() {
        String token = exchanged(signIn("openid").accessToken());
        disableServiceProvider();
        return token;
    }

    private String serviceAccount() {
        return serviceProvider.token(Map.of("grant_type", "client_credentials")).accessToken();
    }

    private String serviceAccountRevoked() {
        String token = serviceAccount();
        serviceProvider.revoke(token);
        return token;
    }

    private String serviceAccountOfADisabledClient() {
        String token = serviceAccount();
        disableServiceProvider();
        return token;
    }

    private String serviceAccountWithADisabledUser() {
        String token = serviceAccount();
        admin.update(admin.user("service-account-" + serviceProvider.clientId()), user -> user.put("enabled", false));
        return token;
    }

    /** Keycloak makes a session for it only where it gets a refresh token; otherwise each token stands alone. */
    private String serviceAccountWithASession() {
        return withRefreshToken().accessToken();
    }

    private String serviceAccountAfterItsSession() {
        return loggedOut(withRefreshToken());
    }

    private Tokens withRefreshToken() {
        attribute("client_credentials.use_refresh_token", "true");
        return serviceProvider.token(Map.of("grant_type", "client_credentials"));
    }

    private void disableServiceProvider() {
        admin.update(path, it -> it.put("enabled", false));
    }

    private void attribute(String name, String value) {
        admin.update(path, it -> ((ObjectNode) it.get("attributes")).put(name, value));
    }

    private String create(String clientId, Map<String, Object> members) {
        ObjectNode client = Http.JSON.valueToTree(members);
        return "/clients/"
                + admin.create("/clients", client.put("clientId", clientId).put("secret", SECRET));
    }

    private ServiceProvider client(String clientId) {
        return new ServiceProvider(federation.server(), Federation.REALM, clientId, SECRET, REDIRECT);
    }

    /** Puts a client into the audience of each token, lightweight ones among them; its own, too, for it to exchange one. */
    private static Map<String, Object> inAudience(String clientId) {
        return NewDataProvider.mapperJson(
                "audience " + clientId,
                "oidc-audience-mapper",
                Map.of(
                        "included.custom.audience", clientId,
                        "access.token.claim", "true",
                        "lightweight.claim", "true",
                        "introspection.token.claim", "true"));
    }
}
