package io.github.checktoken.introspection.token;

import java.util.Map;

import org.keycloak.models.KeycloakSession;

import io.github.checktoken.limit.SlotNameHmac;

/**
 * Remembers for whom a token without a session was issued. The token itself does not say so reliably, because mappers of
 * the service provider can set each claim by which Keycloak finds the user.
 */
record GrantedUserStore(KeycloakSession session) {

    private static final String NAME = "granted user";
    private static final String USER = "user";

    /** @param seconds as long as the token lives */
    void put(String tokenId, String userId, int seconds) {
        session.singleUseObjects().put(key(tokenId), seconds, Map.of(USER, userId));
    }

    boolean isUser(String tokenId, String userId) {
        Map<String, String> granted = session.singleUseObjects().get(key(tokenId));
        return granted != null && userId.equals(granted.get(USER));
    }

    /** A data provider knows the id of the token, and must not be able to remove the entry. */
    private String key(String tokenId) {
        return SlotNameHmac.withRealmKey(session).of(NAME, tokenId);
    }
}
