package io.github.checktoken.login.gate.provider;

import java.util.Map;

import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.UserModel;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Anna has reset the password of her account, to which an identity is to be linked. */
class WaitingIdentityTest {

    private final FakeLogin login = new FakeLogin();
    private final WaitingIdentity waiting = new WaitingIdentity(login.authSession);
    private final UserModel anna = Fake.of(UserModel.class, Map.of("getId", "anna"));
    private final UserModel bruno = Fake.of(UserModel.class, Map.of("getId", "bruno"));

    @Test
    void onlyTheOwnerConfirmsTheLinkAndOnlyAtItsStep() {
        login.authNotes.put(WaitingIdentity.OWNER, "anna");
        assertTrue(isConfirmedBy(anna, "idp-confirm-link"));
        assertFalse(isConfirmedBy(bruno, "idp-confirm-link"));
        assertFalse(isConfirmedBy(null, "idp-confirm-link"));
        assertFalse(isConfirmedBy(anna, "idp-review-profile"));
    }

    @Test
    void nobodyConfirmsWithoutAReset() {
        assertFalse(isConfirmedBy(anna, "idp-confirm-link"));
    }

    @Test
    void identityWaitsForTheOwnerOfTheAccountThatWasFound() {
        login.authNotes.put("EXISTING_USER_INFO", "{\"existingUserId\":\"anna\"}");
        assertFalse(waiting.isFor(anna));
        login.authNotes.put(WaitingIdentity.NOTE, "{}");
        assertTrue(waiting.isFor(anna));
        assertFalse(waiting.isFor(bruno));
        assertFalse(waiting.isForAnybody());
    }

    @Test
    void identityWaitsForAnybodyIfNoAccountWasSearchedFor() {
        login.authNotes.put(WaitingIdentity.NOTE, "{}");
        assertTrue(waiting.isForAnybody());
        assertFalse(waiting.isFor(anna));
    }

    private boolean isConfirmedBy(UserModel owner, String authenticator) {
        AuthenticationExecutionModel step = new AuthenticationExecutionModel();
        step.setAuthenticator(authenticator);
        login.realmResults.put("getAuthenticationExecutionById", step);
        return waiting.isConfirmedBy(owner, "execution");
    }
}
