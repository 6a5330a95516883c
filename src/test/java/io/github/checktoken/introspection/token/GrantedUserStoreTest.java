package io.github.checktoken.introspection.token;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;

import org.keycloak.crypto.KeyWrapper;
import org.keycloak.models.KeyManager;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.SingleUseObjectProvider;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GrantedUserStoreTest {

    private final Map<Object, Object> entries = new HashMap<>();
    private final GrantedUserStore users;

    GrantedUserStoreTest() {
        KeyWrapper key = new KeyWrapper();
        key.setSecretKey(new SecretKeySpec(new byte[64], "HmacSHA512"));
        SingleUseObjectProvider store = Fake.of(
                SingleUseObjectProvider.class,
                (method, arguments) -> method.equals("put")
                        ? entries.put(arguments[0], arguments[2])
                        : entries.getOrDefault(arguments[0], Optional.empty()));
        users = new GrantedUserStore(Fake.of(
                KeycloakSession.class,
                Map.of(
                        "getContext",
                        Fake.of(KeycloakContext.class, Map.of()),
                        "keys",
                        Fake.of(KeyManager.class, Map.of("getActiveKey", key)),
                        "singleUseObjects",
                        store)));
    }

    @Test
    void tokenIsThatOfTheUserOfItsGrantAlone() {
        users.put("token", "anna", 60);
        assertTrue(users.isUser("token", "anna"));
        assertFalse(users.isUser("token", "bruno"));
    }

    @Test
    void tokenOfNoKnownGrantIsNobodys() {
        users.put("token", "anna", 60);
        assertFalse(users.isUser("another", "anna"));
    }

    /** Whoever knows the token's id could remove an entry with that name. */
    @Test
    void nameOfTheEntryIsNotTheTokensId() {
        users.put("token", "anna", 60);
        assertEquals(1, entries.size());
        assertFalse(entries.keySet().iterator().next().toString().contains("token"));
    }
}
