package io.github.checktoken.login.amr;

import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.realm.LevelRealm.NO_LEVEL;
import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that {@code acr} is the level of the very login from which a token comes. */
class LoginLevelIT extends AbstractLevelIT {

    LoginLevelIT(KeycloakServer server) {
        super(server);
    }

    @Test
    void eachLoginHasItsLevel() {
        assertTold("low", "pwd", signIn(realm.request(STEPS)));
        assertTold("low", "pwd", signIn(realm.request(STEPS)));
        assertTold("high", "pwd pin", signIn(realm.requestHigh(STEPS)));
        assertTold("high", "pwd pin", signIn(realm.request(STEPS)));
    }

    @Test
    void refreshTokenOfAnEarlierLoginDoesNotGetTheLevelOfAStepUp() {
        Tokens low = signIn(realm.request(STEPS));
        Tokens high = signIn(realm.requestHigh(STEPS));
        assertTold("low", "pwd", refresh(low));
        assertTold("high", "pwd pin", refresh(high));
        assertTold("low", "pwd", refresh(refresh(low)));
    }

    @Test
    void refreshTokenIsRememberedForItsLevelAlone() {
        Tokens low = signIn(realm.request(STEPS).without("claims"));
        signIn(realm.requestHigh(STEPS).without("claims"));
        assertEquals("low", refresh(refresh(low)).acr());
    }

    /** The session has begun before, because Keycloak removes one that has begun with an offline login. */
    @Test
    void offlineTokensHaveTheLevelsOfTheirLogins() {
        signIn(realm.request(STEPS));
        Tokens high = signIn(offline(realm.requestHigh(STEPS)));
        Tokens low = signIn(offline(realm.request(STEPS)).with("prompt", "login"));
        assertTold("high", "pwd pin", high);
        assertTold("low", "pwd", low);
        assertTold("low", "pwd", refresh(low));
        assertTold("high", "pwd pin", refresh(high));
    }

    @Test
    void offlineTokenOfALaterStepUpHasItsLevel() {
        signIn(realm.request(STEPS));
        Tokens low = signIn(offline(realm.request(STEPS)));
        Tokens high = signIn(offline(realm.requestHigh(STEPS)));
        assertTold("high", "pwd pin", refresh(high));
        assertTold("low", "pwd", refresh(low));
    }

    @Test
    void forcedReauthenticationReplacesTheLevels() {
        signIn(realm.requestHigh(STEPS));
        assertTold("low", "pwd", signIn(realm.request(STEPS).with("prompt", "login")));
        assertTold("low", "pwd", signIn(realm.request(STEPS)));
        assertTrue(LevelRealm.asksFor(browser.get(realm.requestHigh(STEPS).url()), "pin"));
    }

    @Test
    void requestedLevelThatIsReachedIsNamed() {
        signIn(realm.requestHigh(STEPS));
        assertEquals(
                "low", signIn(realm.request(STEPS).with("acr_values", "low")).acr());
        assertEquals("high", signIn(realm.request(STEPS)).acr());
    }

    @Test
    void mapOfTheClientNamesNoLevel() {
        realm.with(
                STEPS,
                client -> ((ObjectNode) client.get("attributes")).put("acr.loa.map", "{\"highest\":1}"),
                () -> assertTold("low", "pwd", signIn(realm.request(STEPS))));
    }

    @Test
    void lightweightAccessTokenSaysTheLevel() {
        realm.with(
                STEPS,
                client -> ((ObjectNode) client.get("attributes"))
                        .put("client.use.lightweight.access.token.enabled", "true"),
                () -> {
                    Tokens low = signIn(realm.request(STEPS));
                    signIn(realm.requestHigh(STEPS));
                    assertTold("low", "pwd", refresh(low));
                });
    }

    @Test
    void singleSignOnWithoutALevelIsZero() {
        assertTold("low", "pwd", signIn(NO_LEVEL, realm.request(NO_LEVEL)));
        assertTold("0", "pwd", signIn(NO_LEVEL, realm.request(NO_LEVEL)));
        assertTold("0", "pwd", signIn(STEPS, realm.request(STEPS).with("prompt", "none")));
    }

    @Test
    void tabsThatCannotBeToldApartHaveTheLevelThatTheyShare() {
        signIn(realm.request(STEPS));
        HttpResponse<String> first = open(realm.request(STEPS).without("nonce"));
        HttpResponse<String> second = open(realm.request(STEPS).without("nonce").without("claims"));
        assertTold("low", null, realm.client(STEPS).redeem(first));
        assertTold("low", null, realm.client(STEPS).redeem(second));
    }

    @Test
    void tabsThatCannotBeToldApartHaveNoLevelIfTheyDiffer() {
        signIn(realm.request(STEPS));
        HttpResponse<String> first = open(realm.request(STEPS).without("nonce"));
        HttpResponse<String> second = open(realm.requestHigh(STEPS).without("nonce"));
        assertTold(null, null, realm.client(STEPS).redeem(first));
        assertTold(null, null, realm.client(STEPS).redeem(second));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"id_token", "id_token token", "code id_token", "code id_token token", "code token", "token"})
    void frontChannelHasTheLevelOfItsLogin(String responseType) {
        String fragment = location(realm.request(STEPS).with("response_type", responseType));
        assertFrontChannel("low", fragment);
        signIn(realm.requestHigh(STEPS));
        assertFrontChannel("high", location(realm.request(STEPS).with("response_type", responseType)));
        if (responseType.contains("code")) {
            Tokens first = realm.client(STEPS).redeem(fragment);
            assertTold("low", "pwd", first);
            assertTold("low", "pwd", refresh(first));
        }
    }

    @Test
    void exchangedTokenHasNoLevel() {
        realm.with(
                STEPS,
                client -> ((ObjectNode) client.get("attributes")).put("standard.token.exchange.enabled", "true"),
                () -> {
                    Tokens low = signIn(realm.request(STEPS));
                    Tokens exchanged = realm.client(STEPS)
                            .token(Map.of(
                                    "grant_type",
                                    "urn:ietf:params:oauth:grant-type:token-exchange",
                                    "subject_token",
                                    low.accessToken(),
                                    "subject_token_type",
                                    "urn:ietf:params:oauth:token-type:access_token"));
                    assertEquals("low", low.accessClaims().path("acr").asText());
                    assertFalse(exchanged.accessClaims().has("acr"));
                });
    }

    @Test
    void directGrantHasNoLevel() {
        realm.with(STEPS, client -> client.put("directAccessGrantsEnabled", true), () -> {
            Tokens tokens = realm.client(STEPS)
                    .token(Map.of(
                            "grant_type",
                            "password",
                            "username",
                            person,
                            "password",
                            "demo-password",
                            "scope",
                            "openid"));
            assertTold(null, null, tokens);
        });
    }

    private void assertFrontChannel(String acr, String location) {
        JsonNode answer = parameters(location);
        for (String token : new String[] {"id_token", "access_token"}) {
            if (answer.has(token)) {
                assertEquals(
                        acr,
                        Tokens.claims(answer.get(token).asText()).path("acr").asText(),
                        token);
            }
        }
    }

    private static JsonNode parameters(String location) {
        ObjectNode parameters = io.github.checktoken.support.client.Http.JSON.createObjectNode();
        for (String pair : location.substring(location.indexOf('#') + 1).split("&")) {
            parameters.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return parameters;
    }

    /** @param acr null for none; in the ID token and in the access token */
    private static void assertTold(String acr, String amr, Tokens tokens) {
        assertEquals(acr, Tokens.claims(tokens.idToken()).path("acr").asText(null));
        assertEquals(acr, tokens.accessClaims().path("acr").asText(null));
        assertEquals(amr, tokens.amr());
    }

    private static AuthorizationRequest offline(AuthorizationRequest request) {
        return request.with("scope", "openid offline_access");
    }

    private String location(AuthorizationRequest request) {
        return open(request).headers().firstValue("Location").orElseThrow();
    }

    private Tokens signIn(AuthorizationRequest request) {
        return signIn(STEPS, request);
    }

    private Tokens refresh(Tokens tokens) {
        ServiceProvider client = realm.client(STEPS);
        return client.refresh(tokens);
    }
}
