package io.github.checktoken.introspection.token;

import java.util.HashMap;
import java.util.Map;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The token is one of the client {@code sp}. */
class SessionlessUserCheckTest {

    @Test
    void clientsTokenForItselfIsThatOfItsOwnServiceAccount() {
        assertTrue(isAccepted(OAuth2Constants.CLIENT_CREDENTIALS, "sp"));
        assertFalse(isAccepted(OAuth2Constants.CLIENT_CREDENTIALS, "other"));
    }

    @Test
    void exchangedTokenCanBeThatOfAnotherServiceAccount() {
        assertTrue(isAccepted(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, "other"));
    }

    @Test
    void personIsRejectedWhateverTheGrant() {
        assertFalse(isAccepted(OAuth2Constants.CLIENT_CREDENTIALS, null));
        assertFalse(isAccepted(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, null));
        assertFalse(isAccepted(OAuth2Constants.AUTHORIZATION_CODE, null));
    }

    private static boolean isAccepted(String grantType, String serviceAccountOf) {
        Map<String, Object> user = new HashMap<>();
        user.put("getServiceAccountClientLink", serviceAccountOf);
        return SessionlessUserCheck.rejection(
                        null,
                        new AccessTokenContext(SessionType.TRANSIENT, TokenType.REGULAR, grantType, "id"),
                        new AccessToken(),
                        Fake.of(UserModel.class, user),
                        FakeClients.client("sp"))
                .isEmpty();
    }
}
