package io.github.checktoken.introspection.token;

import java.net.http.HttpResponse;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.github.checktoken.support.browser.Browser;
import io.github.checktoken.support.client.AuthorizationRequest;
import io.github.checktoken.support.client.DataProviderClient;
import io.github.checktoken.support.client.ServiceProvider;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.LevelRealm;
import io.github.checktoken.support.realm.NewDataProvider;
import io.github.checktoken.support.server.KeycloakExtension;
import io.github.checktoken.support.server.KeycloakServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.checktoken.support.realm.LevelRealm.NO_LEVEL;
import static io.github.checktoken.support.realm.LevelRealm.STEPS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * {@code acr} in an answer is never above the level of the login that the token comes from, in a realm with Keycloak's own
 * mapper, which tells the level of the last login. One service provider has this project's mapper of {@code amr}, the
 * other one has none of this project's mappers.
 */
@ExtendWith(KeycloakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswerLevelIT {

    /** As {@link LevelRealm#STEPS}, without a mapper of this project. */
    private static final String PLAIN = "plain";

    private final LevelRealm realm;
    private final DataProviderClient dataProvider;
    private Browser browser;
    private String person;

    AnswerLevelIT(KeycloakServer server) throws JOSEException {
        realm = new LevelRealm(server);
        dataProvider = new NewDataProvider(realm.admin(), realm.url(), new ECKeyGenerator(Curve.P_256).generate())
                .encryptedWith("ECDH-ES")
                .defaultScopes()
                .create();
    }

    @BeforeAll
    void useKeycloaksMapper() {
        realm.useKeycloaksAcr();
        realm.createClientWithoutOwnMappers(PLAIN, STEPS);
    }

    @BeforeEach
    void openBrowser() {
        browser = realm.browser();
        person = realm.newPerson();
    }

    @ParameterizedTest
    @ValueSource(strings = {STEPS, PLAIN})
    void refreshAfterAStepUpKeepsTheLevelOfItsLogin(String client) {
        Tokens low = signIn(client, realm.request(client));
        Tokens high = signIn(client, realm.requestHigh(client));
        assertEquals("low", acr(low));
        assertEquals("high", acr(high));

        Tokens lowRefreshed = realm.client(client).refresh(low);
        assertEquals("high", lowRefreshed.accessClaims().path("acr").asText(), "Keycloak's mapper");
        assertEquals("low", acr(lowRefreshed));
        assertEquals("low", acr(realm.client(client).refresh(lowRefreshed)));
        assertEquals("low", acr(realm.client(client).refresh(low)));
        assertEquals(
                "high", acr(realm.client(client).refresh(realm.client(client).refresh(high))));
    }

    @ParameterizedTest
    @ValueSource(strings = {STEPS, PLAIN})
    void lightweightTokenToo(String client) {
        realm.with(
                client,
                json -> ((ObjectNode) json.get("attributes"))
                        .put("client.use.lightweight.access.token.enabled", "true"),
                () -> {
                    Tokens low = signIn(client, realm.request(client));
                    Tokens high = signIn(client, realm.requestHigh(client));
                    assertEquals("low", acr(low));
                    assertEquals("low", acr(realm.client(client).refresh(low)));
                    assertEquals("high", acr(realm.client(client).refresh(high)));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {STEPS, PLAIN})
    void offlineTokenToo(String client) {
        signIn(client, realm.request(client));
        Tokens low = signIn(client, offline(realm.request(client)));
        Tokens high = signIn(client, offline(realm.requestHigh(client)));
        assertEquals("low", acr(realm.client(client).refresh(low)));
        String claimed =
                realm.client(client).refresh(high).accessClaims().path("acr").asText();
        assertEquals(claimed, acr(realm.client(client).refresh(high)));
    }

    @ParameterizedTest
    @ValueSource(strings = {STEPS, PLAIN})
    void offlineTokenOfTheFirstLoginToo(String client) {
        Tokens high = signIn(client, offline(realm.requestHigh(client)));
        assertEquals("high", acr(high));
        assertEquals("high", acr(realm.client(client).refresh(high)));
    }

    /** Each code is redeemed after both logins. */
    @Test
    void codesThatAreOpenAtOnceHaveTheLevelsOfTheirLogins() {
        HttpResponse<String> low = realm.open(browser, person, realm.request(STEPS));
        HttpResponse<String> high = realm.open(browser, person, realm.requestHigh(STEPS));
        Tokens ofLow = realm.client(STEPS).redeem(low);
        assertEquals("high", ofLow.accessClaims().path("acr").asText(), "Keycloak's mapper");
        assertEquals("low", acr(ofLow));
        assertEquals("high", acr(realm.client(STEPS).redeem(high)));
    }

    /** Without a mapper of this project, nothing tells which of the two codes is redeemed. */
    @Test
    void codesThatCannotBeToldApartHaveTheLowestLevel() {
        HttpResponse<String> low = realm.open(browser, person, realm.request(PLAIN));
        HttpResponse<String> high = realm.open(browser, person, realm.requestHigh(PLAIN));
        Tokens ofLow = realm.client(PLAIN).redeem(low);
        assertEquals("low", acr(ofLow));
        assertEquals("low", acr(realm.client(PLAIN).redeem(high)));
        assertEquals("low", acr(realm.client(PLAIN).refresh(ofLow)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "id_token token", "code token"})
    void frontChannelToo(String responseType) {
        String low = fragment(realm.request(STEPS).with("response_type", responseType));
        String high = fragment(realm.requestHigh(STEPS).with("response_type", responseType));
        assertEquals("low", acr(low));
        assertEquals("high", acr(high));
    }

    /** The refresh token may also come from an exchange. The access token names its grant. */
    @Test
    void refreshTokenThatIsNotKnownAnyMoreHasNone() {
        Tokens high = signIn(STEPS, realm.requestHigh(STEPS));
        Tokens latest = high;
        for (int refreshes = 0; refreshes < 40; refreshes++) {
            latest = realm.client(STEPS).refresh(latest);
        }
        assertEquals("high", acr(latest));
        assertEquals("high", acr(high));
        assertNull(acr(realm.client(STEPS).refresh(high)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void exchangeAfterSingleSignOnHasNoneAlsoAfterARefresh(String standard) {
        realm.with(
                NO_LEVEL,
                json -> ((ObjectNode) json.get("attributes"))
                        .put("standard.token.exchange.enabled", standard)
                        .put("standard.token.exchange.enableRefreshRequestedTokenType", "SAME_SESSION"),
                () -> {
                    Tokens own = signIn(NO_LEVEL, realm.request(NO_LEVEL));
                    Tokens sso = signIn(NO_LEVEL, realm.request(NO_LEVEL));
                    assertEquals("low", acr(own));
                    assertEquals("0", acr(sso));

                    Tokens exchanged = realm.client(NO_LEVEL)
                            .token(Map.of(
                                    "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                                    "subject_token", sso.accessToken(),
                                    "subject_token_type", "urn:ietf:params:oauth:token-type:access_token",
                                    "requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token"));
                    assertNull(acr(exchanged));
                    assertNull(acr(realm.client(NO_LEVEL).refresh(exchanged)));
                    assertEquals("0", acr(realm.client(NO_LEVEL).refresh(sso)));
                });
    }

    private String fragment(AuthorizationRequest request) {
        String location = realm.open(browser, person, request)
                .headers()
                .firstValue("Location")
                .orElseThrow();
        return ServiceProvider.answer(location).getAccessToken().getValue();
    }

    private static AuthorizationRequest offline(AuthorizationRequest request) {
        return request.with("scope", "openid offline_access");
    }

    private Tokens signIn(String client, AuthorizationRequest request) {
        return realm.signIn(browser, person, client, request);
    }

    private String acr(Tokens tokens) {
        return acr(tokens.accessToken());
    }

    private String acr(String token) {
        Map<String, Object> introspection = dataProvider.check(token).introspection();
        assertEquals(true, introspection.get("active"));
        return (String) introspection.get("acr");
    }
}
