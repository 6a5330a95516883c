package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.Optional;

import org.keycloak.OAuth2Constants;
import org.keycloak.models.ClientModel;
import org.keycloak.protocol.oidc.encode.AccessTokenContext;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.SessionType;
import org.keycloak.protocol.oidc.encode.AccessTokenContext.TokenType;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.login.amr.NotesOnlyClientSession;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class DerivedTokenCheckTest {

    private final ClientModel caller = FakeClients.dataProvider("caller");
    private final ClientModel other = FakeClients.dataProvider("other");
    private final DerivedTokenCheck check = new DerivedTokenCheck(FakeClients.session(caller, other), caller);

    @Test
    void tokenThatAnotherDataProviderExchangedIsRejected() {
        assertEquals(
                Optional.of("Another data provider exchanged it"),
                rejection(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, other));
    }

    @Test
    void tokenThatTheCallerExchangedIsAccepted() {
        assertEquals(Optional.empty(), rejection(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, caller));
    }

    @Test
    void tokenThatAServiceProviderExchangedIsAccepted() {
        assertEquals(
                Optional.empty(),
                rejection(OAuth2Constants.TOKEN_EXCHANGE_GRANT_TYPE, FakeClients.client("service provider")));
    }

    @Test
    void tokenOfALoginAtAnotherDataProviderIsAccepted() {
        assertEquals(Optional.empty(), rejection(OAuth2Constants.AUTHORIZATION_CODE, other));
    }

    private Optional<String> rejection(String grantType, ClientModel tokensClient) {
        AccessTokenContext context = new AccessTokenContext(SessionType.ONLINE, TokenType.REGULAR, grantType, "id");
        return check.rejection(
                new AccessToken(),
                new TokenOrigin("id", context, NotesOnlyClientSession.clientSession(Map.of())),
                tokensClient);
    }
}
