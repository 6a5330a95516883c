package io.github.checktoken.introspection.token;

import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.checktoken.support.client.Tokens;
import io.github.checktoken.support.realm.AdminApi;
import io.github.checktoken.support.realm.Federation;
import io.github.checktoken.support.server.KeycloakExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** A service provider that has one token can get another one for each data provider, with fewer scopes. */
@ExtendWith(KeycloakExtension.class)
class NarrowedTokenIT {

    private static final String ALL = "openid tax_income health_rights";
    private static final String EXCHANGE = "standard.token.exchange.enabled";

    private final Federation federation;

    NarrowedTokenIT(Federation federation) {
        this.federation = federation;
    }

    @Test
    void refreshNarrowsTheAccessTokenAndNotTheRefreshToken() {
        Tokens all = federation.town().signIn("camille", ALL);
        Tokens narrowed = federation
                .town()
                .token(Map.of(
                        "grant_type", "refresh_token",
                        "refresh_token", all.refreshToken(),
                        "scope", "openid tax_income"));

        assertNarrowed(all, narrowed);
        assertEquals(scopes(all), scopes(federation.town().refresh(narrowed)));
    }

    @Test
    void exchangeNarrowsTheAccessToken() {
        AdminApi admin = federation.admin();
        String client = admin.client("sp-town");
        admin.update(client, it -> ((ObjectNode) it.get("attributes")).put(EXCHANGE, "true"));
        try {
            Tokens all = federation.town().signIn("camille", ALL);
            assertNarrowed(
                    all,
                    federation
                            .town()
                            .token(Map.of(
                                    "grant_type",
                                    "urn:ietf:params:oauth:grant-type:token-exchange",
                                    "subject_token",
                                    all.accessToken(),
                                    "subject_token_type",
                                    "urn:ietf:params:oauth:token-type:access_token",
                                    "scope",
                                    "tax_income")));
        } finally {
            admin.update(client, it -> ((ObjectNode) it.get("attributes")).put(EXCHANGE, "false"));
        }
    }

    private void assertNarrowed(Tokens all, Tokens narrowed) {
        Set<String> scopes = scopes(narrowed);
        assertEquals(true, scopes.contains("tax_income") && !scopes.contains("health_rights"), scopes::toString);
        assertEquals(
                "tax_income",
                federation.tax().check(narrowed.accessToken()).introspection().get("scope"));
        assertEquals(
                "",
                federation
                        .health()
                        .check(narrowed.accessToken())
                        .introspection()
                        .get("scope"));
        assertEquals(all.accessClaims().get("sid"), narrowed.accessClaims().get("sid"));
        assertEquals(all.accessClaims().get("sub"), narrowed.accessClaims().get("sub"));
        assertNotEquals(all.accessClaims().get("jti"), narrowed.accessClaims().get("jti"));
    }

    private static Set<String> scopes(Tokens tokens) {
        return Set.of(tokens.accessClaims().get("scope").asText().split(" "));
    }
}
