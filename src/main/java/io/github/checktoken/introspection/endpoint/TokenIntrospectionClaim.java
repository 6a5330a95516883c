package io.github.checktoken.introspection.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.keycloak.representations.AccessToken;

import io.github.checktoken.introspection.dataprovider.DisclosedData;
import io.github.checktoken.introspection.token.ActiveToken;

/** The member {@code token_introspection} of the answer (RFC 7662 section 2.2). */
final class TokenIntrospectionClaim {

    private TokenIntrospectionClaim() {}

    /** The same for every token that is not active, whatever the reason (RFC 7662 section 2.2). */
    static Map<String, Object> inactive() {
        return Map.of("active", false);
    }

    /** The token's own members come first; identity data cannot replace them. */
    static Map<String, Object> active(ActiveToken active, DisclosedData disclosure, boolean withAuthTime) {
        AccessToken token = active.token();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("active", true);
        members.put("aud", token.getIssuedFor());
        members.put("client_id", token.getIssuedFor());
        members.put("sub", disclosure.subject());
        members.put("iat", token.getIat());
        members.put("exp", token.getExp());
        members.put("acr", active.acr());
        if (withAuthTime) {
            members.put("auth_time", active.authTime());
        }
        members.put("jti", token.getId());
        members.put("scope", disclosure.scope());
        if (token.getConfirmation() != null) {
            members.put("cnf", confirmation(token.getConfirmation()));
        }
        members.values().removeIf(Objects::isNull);
        disclosure.identity().forEach(members::putIfAbsent);
        return members;
    }

    /** RFC 8705 section 3.1, RFC 9449 section 6.1. Keycloak's internal members are left out. */
    private static Map<String, Object> confirmation(AccessToken.Confirmation confirmation) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("x5t#S256", confirmation.getCertThumbprint());
        members.put("jkt", confirmation.getKeyThumbprint());
        members.values().removeIf(Objects::isNull);
        return members;
    }
}
