package io.github.checktoken.login.amr;

import java.util.Map;

import org.keycloak.models.ClientModel;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** In the realm, {@code low} is level 1, and {@code high} and {@code gold} are level 2. */
class AcrValueTest {

    private static final String GOLD = "{\"id_token\":{\"acr\":{\"essential\":true,\"values\":[\"gold\"]}}}";

    private final FakeLogin login = new FakeLogin();

    AcrValueTest() {
        login.realmResults.put("getAttribute", "{\"low\":1,\"high\":2,\"gold\":2}");
        login.authSessionResults.put("getClient", Fake.of(ClientModel.class, Map.of("getRealm", login.realm)));
    }

    @Test
    void essentialValueOfTheRequestComesFirst() {
        login.clientNotes.put("claims", GOLD);
        login.clientNotes.put("acr_values", "high low");
        assertEquals("gold", requested(2));
    }

    @Test
    void otherValuesOfTheRequestFollow() {
        login.clientNotes.put("acr_values", "high low");
        assertEquals("high", requested(2));
        assertEquals("low", requested(1));
        assertNull(requested(0));
        assertNull(requested(null));
    }

    @Test
    void claimsThatCannotBeReadRequestNothing() {
        login.clientNotes.put("acr_values", "high");
        login.clientNotes.put("claims", "{");
        assertEquals("high", requested(2));
    }

    @Test
    void levelHasTheNameThatWasRequestedOrAnotherOfTheRealm() {
        assertEquals("high", AcrValue.of(login.realm, 2, "high"));
        assertEquals("gold", AcrValue.of(login.realm, 2, null));
        assertEquals("low", AcrValue.of(login.realm, 1, "high"));
        assertEquals("0", AcrValue.of(login.realm, 0, "high"));
    }

    private String requested(Integer level) {
        return AcrValue.requested(login.authSession, level);
    }
}
