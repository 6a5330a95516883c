package io.github.checktoken.login.gate;

import java.util.Map;

import org.keycloak.cookie.CookieProvider;
import org.keycloak.models.UserModel;
import org.keycloak.models.UserSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A browser without an identity cookie. */
class SessionIdBindingTest {

    private final FakeLogin open = new FakeLogin();
    private final FakeLogin added = new FakeLogin();
    private final SessionIdBinding binding = new SessionIdBinding(
            open.session,
            Fake.of(
                    RootAuthenticationSessionModel.class,
                    Map.of("getId", "root", "getAuthenticationSessions", Map.of("open", open.authSession))));
    private final UserSessionModel ofAnna = Fake.of(
            UserSessionModel.class,
            Map.of("getUser", Fake.of(UserModel.class, Map.of("getId", "anna")), "getStarted", 1000));

    SessionIdBindingTest() {
        open.providers.put(CookieProvider.class, Fake.of(CookieProvider.class, Map.of()));
    }

    @Test
    void idThatNoUserSessionHasHadIsNotUsedUp() {
        assertFalse(binding.isUsedUp());
    }

    @Test
    void idOfAUserSessionIsUsedUpForABrowserThatDoesNotHoldIt() {
        binding.bind(ofAnna);
        assertTrue(binding.isUsedUp());
    }

    @Test
    void newTabIsBoundAsTheOpenOnes() {
        binding.bindNewTab(added.authSession);
        assertEquals(Map.of(), added.authNotes);
        binding.bind(ofAnna);
        binding.bindNewTab(added.authSession);
        assertEquals(Map.of(SessionIdBinding.NOTE, "{\"user\":\"anna\",\"started\":1000}"), added.authNotes);
    }
}
