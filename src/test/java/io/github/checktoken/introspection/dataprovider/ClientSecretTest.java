package io.github.checktoken.introspection.dataprovider;

import java.util.Map;
import java.util.Optional;

import org.keycloak.models.ClientModel;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ClientSecretTest {

    @Test
    void expiryIsThatOfTheSecretAndNotOfTheOneBefore() {
        ClientModel client = client(
                "client-secret",
                Map.of("client.secret.expiration.time", "1795258568", "client.secret.rotated.expiration.time", "5"));
        assertEquals(Optional.of(1_795_258_568L), ClientSecret.of(client).flatMap(ClientSecret::expiry));
    }

    @Test
    void secretOfAClientThatSignsItsAssertionsDoesNotExpire() {
        ClientModel client = client("client-jwt", Map.of("client.secret.expiration.time", "1795258568"));
        assertEquals(Optional.empty(), ClientSecret.of(client));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tomorrow", "-1", "99999999999999999999"})
    void attributeThatIsNoTimeIsIgnored(String value) {
        ClientModel client = client("client-secret", Map.of("client.secret.expiration.time", value));
        assertEquals(Optional.empty(), ClientSecret.of(client).flatMap(ClientSecret::expiry));
    }

    private static ClientModel client(String authenticator, Map<String, String> attributes) {
        return Fake.of(ClientModel.class, (method, arguments) -> switch (method) {
            case "getClientAuthenticatorType" -> authenticator;
            case "getSecret" -> "secret";
            case "getAttribute" -> attributes.get(arguments[0]);
            default -> throw new AssertionError(method);
        });
    }
}
