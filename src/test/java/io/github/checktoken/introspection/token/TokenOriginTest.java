package io.github.checktoken.introspection.token;

import java.util.Map;

import org.keycloak.OAuth2Constants;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;

import io.github.checktoken.login.amr.NotesOnlyClientSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TokenOriginTest {

    @ParameterizedTest
    @ValueSource(strings = {OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, OAuth2Constants.JWT_AUTHORIZATION_GRANT})
    void nobodySignsInForATokenOfAnotherOne(String grantType) {
        assertTrue(origin(grantType, SessionType.ONLINE).isWithoutLogin());
    }

    @Test
    void nobodySignsInForATokenWithoutASession() {
        assertTrue(origin(OAuth2Constants.AUTHORIZATION_CODE, SessionType.TRANSIENT)
                .isWithoutLogin());
        assertTrue(origin(OAuth2Constants.AUTHORIZATION_CODE, SessionType.ONLINE_TRANSIENT_CLIENT)
                .isWithoutLogin());
    }

    @Test
    void somebodyMayHaveSignedInForACodeOrARefreshToken() {
        assertFalse(
                origin(OAuth2Constants.AUTHORIZATION_CODE, SessionType.ONLINE).isWithoutLogin());
        assertFalse(origin(OAuth2Constants.REFRESH_TOKEN, SessionType.OFFLINE).isWithoutLogin());
    }

    /** For a device and a decoupled login (CIBA), too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                OAuth2Constants.AUTHORIZATION_CODE,
                OAuth2Constants.PASSWORD,
                OAuth2Constants.DEVICE_CODE_GRANT_TYPE,
                OAuth2Constants.CIBA_GRANT_TYPE
            })
    void somebodyHasProvedSomethingForTheseGrants(String grantType) {
        assertTrue(origin(grantType, SessionType.ONLINE).isLogin());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                OAuth2Constants.REFRESH_TOKEN,
                OAuth2Constants.CLIENT_CREDENTIALS,
                OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE,
                OAuth2Constants.JWT_AUTHORIZATION_GRANT
            })
    void nobodyHasProvedSomethingForTheseGrants(String grantType) {
        assertFalse(origin(grantType, SessionType.ONLINE).isLogin());
    }

    private static TokenOrigin origin(String grantType, SessionType sessionType) {
        return new TokenOrigin(
                "id",
                new AccessTokenContext(sessionType, TokenType.REGULAR, grantType, "id"),
                NotesOnlyClientSession.clientSession(Map.of()));
    }
}
