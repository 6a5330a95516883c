package io.github.checktoken.introspection.token;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import io.github.checktoken.support.client.Answer;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.Http;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.realm.RealmKeys;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** If a token is not active, for whatever reason, the answer says {@code active: false} and nothing else. */
@ExtendWith(KeycloakExtension.class)
class InactiveTokenIT {

    private final Federation federation;
    private final AdminApi admin;
    private final ServiceProvider town;

    InactiveTokenIT(Federation federation) {
        this.federation = federation;
        this.admin = federation.admin();
        this.town = federation.town();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown",
                ".",
                "..",
                "...",
                "a.b.c",
                "e30.e30.e30",
                "bnVsbA.bnVsbA.bnVsbA",
                "W10.W10.",
                "eyJhbGciOiJSUzI1NiJ9.e30.AA",
                "eyJhbGciOjV9.e30.AA",
                "é\u0000ü",
                "eyJhbGciOiJub25lIn0.e30."
            })
    void malformed(String token) {
        assertInactive(token);
    }

    @Test
    void anotherSignature() {
        String token = signIn().accessToken();
        int signature = token.lastIndexOf('.') + 1;
        assertInactive(token.substring(0, signature)
                + (token.charAt(signature) == 'A' ? 'B' : 'A')
                + token.substring(signature + 1));
    }

    /** RFC 7515 section 7.1. Otherwise one token would be many for whoever counts, blocks or caches them. */
    @Test
    void anotherSpellingOfAnActiveToken() {
        String token = signIn().accessToken();
        assertTrue(federation.tax().check(token).active());
        String[] parts = token.split("\\.");
        for (String spelling : List.of(
                token + "=text",
                token + "=",
                token + ".",
                token + "...",
                token + "\n",
                parts[0] + "=." + parts[1] + "." + parts[2],
                parts[0] + "." + parts[1] + "!." + parts[2],
                withUnusedBits(token))) {
            assertInactive(spelling);
        }
    }

    /** The last character of a signature of 64 or 256 bytes stands for two bits of it. */
    private static String withUnusedBits(String token) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = alphabet.indexOf(token.charAt(token.length() - 1));
        return token.substring(0, token.length() - 1) + alphabet.charAt(last + 1);
    }

    @Test
    void unsigned() {
        String payload = signIn().accessToken().split("\\.")[1];
        assertInactive(base64("{\"alg\":\"none\",\"typ\":\"JWT\"}") + "." + payload + ".");
    }

    @Test
    void withoutAlgorithm() {
        String[] parts = signIn().accessToken().split("\\.");
        assertInactive(base64("{\"typ\":\"JWT\"}") + "." + parts[1] + "." + parts[2]);
    }

    /** The realm never issues such a token. It is not active, even though the realm's own key has signed it. */
    @ParameterizedTest
    @ValueSource(strings = {"iat", "exp", "jti"})
    void signedByTheRealmWithout(String claim) throws JOSEException {
        try (RealmKeys keys = new RealmKeys(admin)) {
            RSAKey key = keys.addKnown(0);
            ObjectNode claims = (ObjectNode) signIn().accessClaims();
            assertTrue(federation.tax().check(signed(key, claims)).active());
            assertInactiveAndOf(claims, signed(key, claims.without(claim)), "invalid_token");
        }
    }

    @Test
    void issuedBeforeTheSessionBegan() throws JOSEException {
        try (RealmKeys keys = new RealmKeys(admin)) {
            RSAKey key = keys.addKnown(0);
            ObjectNode claims = (ObjectNode) signIn().accessClaims();
            claims.put("iat", claims.get("iat").asLong() - 10);
            assertInactiveAndOf(claims, signed(key, claims), "invalid_token");
        }
        JsonNode event = admin.get("/events?type=INTROSPECT_TOKEN_ERROR&client=dp-health&max=1")
                .get(0);
        assertEquals(
                "Introspection access token for sp-town client: invalid_token",
                event.at("/details/reason").asText());
    }

    /** Keycloak writes into the token id how the token was issued. */
    @ParameterizedTest
    @ValueSource(strings = {":", "abc:1", "zzzzzz:1"})
    void signedByTheRealmWithATokenIdOfAnotherForm(String tokenId) throws JOSEException {
        try (RealmKeys keys = new RealmKeys(admin)) {
            RSAKey key = keys.addKnown(0);
            ObjectNode claims = (ObjectNode) signIn().accessClaims();
            claims.put("jti", tokenId);
            assertInactiveAndOf(claims, signed(key, claims), "invalid_token");
        }
    }

    /** @return a token with these claims, signed by a key of the realm */
    static String signed(RSAKey key, JsonNode claims) throws JOSEException {
        JWSObject token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                new Payload(claims.toString()));
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    @Test
    void expired() {
        String client = admin.client("sp-town");
        admin.update(client, it -> attributes(it).put("access.token.lifespan", "1"));
        try {
            Tokens tokens = signIn();
            Waiting.untilAllIsOlderThan(1);
            assertInactive(tokens, "invalid_token");
        } finally {
            admin.update(client, it -> attributes(it).put("access.token.lifespan", ""));
        }
    }

    @Test
    void revoked() {
        Tokens tokens = activeAtFirst(signIn());
        town.revoke(tokens.accessToken());
        assertInactive(tokens, "invalid_token");
    }

    /** The event has no user, because the subject is the id of nobody. */
    @Test
    void revokedOfAPairwiseSubject() {
        try (TokenSource source = new TokenSource(federation).pairwise()) {
            Tokens tokens = activeAtFirst(source.signIn("openid"));
            source.serviceProvider().revoke(tokens.accessToken());
            assertInactive(tokens.accessToken(), "invalid_token", null, session(tokens.accessClaims()));
        }
    }

    @Test
    void loggedOut() {
        Tokens tokens = activeAtFirst(signIn());
        town.logOut(tokens);
        assertInactive(tokens, "user_session_not_found");
    }

    @Test
    void sessionEndedByTheAdministrator() {
        Tokens tokens = activeAtFirst(signIn());
        admin.delete("/sessions/" + session(tokens.accessClaims()));
        assertInactive(tokens, "user_session_not_found");
    }

    @Test
    void issuedBeforeTheRealmsNotBefore() {
        Tokens tokens = activeAtFirst(signIn());
        admin.update("", realm -> realm.put("notBefore", now() + 1));
        try {
            assertInactive(tokens, "invalid_token");
        } finally {
            admin.update("", realm -> realm.put("notBefore", 0));
        }
    }

    @Test
    void issuedBeforeTheClientsNotBefore() {
        Tokens tokens = activeAtFirst(signIn());
        String client = admin.client("sp-town");
        admin.update(client, it -> it.put("notBefore", now() + 1));
        try {
            assertInactive(tokens, "invalid_token");
        } finally {
            admin.update(client, it -> it.put("notBefore", 0));
        }
    }

    @Test
    void issuedBeforeTheClientsNotBeforeButAfterTheRealms() {
        admin.update("", realm -> realm.put("notBefore", 1));
        try {
            issuedBeforeTheClientsNotBefore();
        } finally {
            admin.update("", realm -> realm.put("notBefore", 0));
        }
    }

    @Test
    void userDisabled() {
        Tokens tokens = activeAtFirst(town.signIn("lucien", "openid"));
        String user = admin.user("lucien");
        admin.update(user, it -> it.put("enabled", false));
        try {
            assertInactive(tokens, "user_disabled");
        } finally {
            admin.update(user, it -> it.put("enabled", true));
        }
    }

    @Test
    void userDeleted() {
        String id = admin.create(
                "/users",
                Map.of(
                        "username", "gone",
                        "enabled", true,
                        "firstName", "Gone",
                        "lastName", "Soon",
                        "email", "gone@example.org",
                        "credentials",
                                List.of(Map.of("type", "password", "value", "demo-password", "temporary", false))));
        Tokens tokens = activeAtFirst(town.signIn("gone", "openid"));
        admin.delete("/users/" + id);
        assertInactive(tokens.accessToken(), "user_session_not_found", null, session(tokens.accessClaims()));
    }

    @Test
    void serviceProviderDisabled() {
        Tokens tokens = activeAtFirst(federation.bank().signIn("camille", "openid"));
        String client = admin.client("sp-bank");
        admin.update(client, it -> it.put("enabled", false));
        try {
            assertInactive(tokens, "client_disabled");
        } finally {
            admin.update(client, it -> it.put("enabled", true));
        }
    }

    @Test
    void ofAnotherRealm() {
        String token = Http.json(Http.send(Http.form(
                        federation.server().realmUrl("master") + "/protocol/openid-connect/token",
                        Map.of(
                                "grant_type", "password",
                                "client_id", "admin-cli",
                                "username", "admin",
                                "password", "demo-admin-password"))))
                .get("access_token")
                .asText();
        assertInactive(token);
    }

    @Test
    void idToken() {
        Tokens tokens = signIn();
        assertInactiveAndOf(tokens.accessClaims(), tokens.idToken(), "invalid_token");
    }

    @Test
    void refreshToken() {
        Tokens tokens = signIn();
        assertInactiveAndOf(tokens.accessClaims(), tokens.refreshToken(), "invalid_token");
    }

    @Test
    void offlineToken() {
        Tokens tokens = town.signIn("camille", "openid offline_access");
        assertInactiveAndOf(tokens.accessClaims(), tokens.refreshToken(), "invalid_token");
    }

    @Test
    void answerPostedBack() {
        DataProviderClient tax = federation.tax();
        String encrypted = tax.post(signIn().accessToken()).body();
        assertInactive(encrypted);
        assertInactive(tax.decrypt(encrypted));
    }

    @Test
    void signedUserinfo() {
        String client = admin.client("sp-town");
        admin.update(client, it -> attributes(it).put("user.info.response.signature.alg", "RS256"));
        try {
            Tokens tokens = signIn();
            String userinfo = Http.send(Http.request(federation.url() + "/protocol/openid-connect/userinfo")
                            .header("Authorization", "Bearer " + tokens.accessToken()))
                    .body();
            assertEquals(3, userinfo.split("\\.").length, "the response must be a JWT");
            // It names no session.
            assertInactive(
                    userinfo, "invalid_token", tokens.accessClaims().get("sub").asText(), null);
        } finally {
            admin.update(client, it -> attributes(it).put("user.info.response.signature.alg", ""));
        }
    }

    /** Mappers of roles can set any claim there. Keycloak's other mappers cannot set those of an access token. */
    @Test
    void signedUserinfoWithTheClaimsOfAnAccessToken() {
        Map<String, String> claims = Map.of(
                "typ", "Bearer",
                "jti", "trrtcc:1",
                "iat", "4000000000",
                "exp", "4102444800",
                "azp", "forger",
                "scope", "tax_income");
        List<Map<String, Object>> mappers = new ArrayList<>();
        claims.forEach((claim, value) -> {
            mappers.add(mapper("role of " + claim, "oidc-hardcoded-role-mapper", Map.of("role", claim + "." + value)));
            mappers.add(mapper(
                    claim,
                    "oidc-usermodel-client-role-mapper",
                    Map.of(
                            "usermodel.clientRoleMapping.clientId",
                            claim,
                            "claim.name",
                            claim,
                            "jsonType.label",
                            value.matches("[0-9]+") ? "long" : "String",
                            "multivalued",
                            "false",
                            "userinfo.token.claim",
                            "true")));
        });
        String client = admin.create(
                "/clients",
                Map.of(
                        "clientId",
                        "forger",
                        "secret",
                        "forger-secret",
                        "serviceAccountsEnabled",
                        true,
                        "attributes",
                        Map.of(
                                "user.info.response.signature.alg",
                                "ES256",
                                "client.introspection.response.allow.jwt.claim.enabled",
                                "true",
                                "allow.token.introspection.without.audience.check",
                                "true"),
                        "protocolMappers",
                        mappers));
        try {
            ServiceProvider forger = new ServiceProvider(
                    federation.server(),
                    federation.realm(),
                    "forger",
                    "forger-secret",
                    "https://sp.example.org/callback");
            Tokens tokens = forger.token(Map.of("grant_type", "client_credentials", "scope", "openid"));
            String userinfo = Http.send(Http.request(federation.url() + "/protocol/openid-connect/userinfo")
                            .header("Authorization", "Bearer " + tokens.accessToken()))
                    .body();
            JsonNode told = Tokens.claims(userinfo);
            claims.forEach(
                    (claim, value) -> assertEquals(value, told.path(claim).asText(), claim));
            assertEquals(
                    Map.of("active", false), federation.tax().check(userinfo).introspection());
            // It would be one that Keycloak has written and signed.
            for (String hint : List.of("access_token", "refresh_token")) {
                for (String path : List.of("introspect", "introspect/", "introspec%74", "introspect;a=b")) {
                    HttpResponse<String> answer = introspectionAskingForAJwt(forger, userinfo, hint, path);
                    assertFalse(answer.body().contains("\"jwt\""), hint + " at " + path);
                }
            }
        } finally {
            admin.delete("/clients/" + client);
        }
    }

    private HttpResponse<String> introspectionAskingForAJwt(
            ServiceProvider client, String token, String hint, String path) {
        return Http.send(Http.form(
                        federation.url() + "/protocol/openid-connect/token/" + path,
                        Map.of(
                                "client_id",
                                client.clientId(),
                                "client_secret",
                                client.secret(),
                                "token",
                                token,
                                "token_type_hint",
                                hint))
                .setHeader("Accept", "application/jwt"));
    }

    private static Map<String, Object> mapper(String name, String type, Map<String, String> config) {
        return Map.of("name", name, "protocol", "openid-connect", "protocolMapper", type, "config", config);
    }

    private Tokens signIn() {
        return town.signIn("camille", "openid");
    }

    private Tokens activeAtFirst(Tokens tokens) {
        assertTrue(federation.tax().check(tokens.accessToken()).active());
        return tokens;
    }

    /** Nobody knows whose it is. */
    private void assertInactive(String token) {
        assertInactive(token, "invalid_token", null, null);
    }

    private void assertInactive(Tokens tokens, String error) {
        assertInactiveAndOf(tokens.accessClaims(), tokens.accessToken(), error);
    }

    /** @param claims those of the access token, which say whose session it is */
    private void assertInactiveAndOf(JsonNode claims, String token, String error) {
        assertInactive(token, error, claims.get("sub").asText(), session(claims));
    }

    /**
     * Error, user and session are those in the event; the answer must not contain them.
     *
     * @param user null if the event must not have it
     * @param session null if the event must not have it
     */
    private void assertInactive(String token, String error, String user, String session) {
        DataProviderClient own = federation.newDataProvider().create();
        for (DataProviderClient dataProvider : List.of(federation.tax(), federation.health(), own)) {
            Answer answer = dataProvider.check(token);
            assertEquals(Map.of("active", false), answer.introspection());
            assertEquals(
                    Set.of("token_introspection", "iss", "aud", "iat"),
                    answer.payload().keySet());
        }
        JsonNode events = admin.get("/events?client=" + own.clientId());
        assertEquals(1, events.size());
        assertEquals("INTROSPECT_TOKEN_ERROR", events.get(0).get("type").asText());
        assertEquals(error, events.get(0).get("error").asText());
        assertEquals(user, events.get(0).path("userId").asText(null));
        assertEquals(session, events.get(0).path("sessionId").asText(null));
    }

    private static String session(JsonNode claims) {
        return claims.get("sid").asText();
    }

    private static ObjectNode attributes(ObjectNode client) {
        return (ObjectNode) client.get("attributes");
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
