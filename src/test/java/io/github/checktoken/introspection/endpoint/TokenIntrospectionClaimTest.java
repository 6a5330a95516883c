package io.github.checktoken.introspection.endpoint;

import java.util.Map;
import java.util.Set;

import org.keycloak.models.UserSessionModel;
import org.keycloak.representations.AccessToken;

import io.github.checktoken.introspection.dataprovider.DisclosedData;
import io.github.checktoken.introspection.token.ActiveToken;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** What an answer says of an active token, by the settings of the data provider. */
class TokenIntrospectionClaimTest {

    private static final DisclosedData PERSON = new DisclosedData("subject", "tax_income", Map.of("gender", "female"));
    private static final DisclosedData NOTHING = new DisclosedData(null, "", Map.of());

    @Test
    void personAndScopeAreTold() {
        Map<String, Object> members = TokenIntrospectionClaim.active(token(), PERSON, false);
        assertEquals("subject", members.get("sub"));
        assertEquals("tax_income", members.get("scope"));
        assertEquals("female", members.get("gender"));
    }

    /** The scope is the empty string and not absent, as for any token that has none of the registered scopes. */
    @Test
    void tokenThatDisclosesNothingIsActiveWithAnEmptyScopeAndWithoutAPerson() {
        Map<String, Object> members = TokenIntrospectionClaim.active(token(), NOTHING, false);
        assertEquals(Set.of("active", "aud", "client_id", "iat", "exp", "acr", "jti", "scope"), members.keySet());
        assertEquals(true, members.get("active"));
        assertEquals("", members.get("scope"));
    }

    @Test
    void timeOfTheLoginIsToldOnlyIfTheSettingIsOn() {
        assertFalse(TokenIntrospectionClaim.active(token(), PERSON, false).containsKey("auth_time"));
        assertEquals(990L, TokenIntrospectionClaim.active(token(), PERSON, true).get("auth_time"));
    }

    @Test
    void claimOfAMapperCannotTellTheTimeOfTheLogin() {
        DisclosedData claim = new DisclosedData("subject", "", Map.of("auth_time", 1L));
        assertEquals(990L, TokenIntrospectionClaim.active(token(), claim, true).get("auth_time"));
    }

    /** @return a token of somebody who signed in at 990 */
    private static ActiveToken token() {
        AccessToken token = new AccessToken();
        token.id("token-id");
        token.iat(1000L);
        token.exp(1300L);
        token.issuedFor("sp-town");
        UserSessionModel userSession = Fake.of(UserSessionModel.class, Map.of("getNote", "990"));
        return new ActiveToken(token, "eidas1", userSession, null);
    }
}
