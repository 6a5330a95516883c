package io.github.checktoken.introspection.token;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.AuthenticatedClientSessionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.UserSessionModel;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** In a realm that records no logins. The client's last login has level 3, and its first one was at 150. */
class RecordedLevelTest {

    @Test
    void tokenOfALoginHasTheLevelOfTheLastOne() {
        assertEquals(Optional.of(3), level(OAuth2Constants.AUTHORIZATION_CODE, "{\"1\":100,\"3\":200}"));
    }

    @Test
    void refreshedTokenHasTheLevelThatTheSessionHadAtTheFirstLogin() {
        assertEquals(Optional.of(1), level(OAuth2Constants.REFRESH_TOKEN, "{\"1\":100,\"3\":200}"));
        assertEquals(Optional.of(2), level(OAuth2Constants.REFRESH_TOKEN, "{\"1\":100,\"2\":150,\"3\":151}"));
    }

    @Test
    void refreshedTokenHasTheLowestLevelIfTheSessionDoesNotSayMore() {
        assertEquals(Optional.of(0), level(OAuth2Constants.REFRESH_TOKEN, "{\"3\":200}"));
        assertEquals(Optional.of(0), level(OAuth2Constants.REFRESH_TOKEN, null));
        assertEquals(Optional.of(0), level(OAuth2Constants.REFRESH_TOKEN, "3"));
    }

    private static Optional<Integer> level(String grantType, String levels) {
        Map<String, Object> userSession = new HashMap<>();
        userSession.put("getNote", levels);
        AuthenticatedClientSessionModel clientSession =
                Fake.of(AuthenticatedClientSessionModel.class, (method, arguments) -> switch (method) {
                    case "getNote" -> Constants.LEVEL_OF_AUTHENTICATION.equals(arguments[0]) ? "3" : null;
                    case "getStarted" -> 150;
                    case "getUserSession" -> Fake.of(UserSessionModel.class, userSession);
                    default -> throw new AssertionError(method);
                });
        return RecordedLevel.of(new TokenOrigin(
                "id", new AccessTokenContext(SessionType.ONLINE, TokenType.REGULAR, grantType, "id"), clientSession));
    }
}
