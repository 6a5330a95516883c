package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.models.KeycloakContext;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class LoginInProgressTest {

    private static final RecordedLogin LOGIN =
            new RecordedLogin("anna", 2, "high", AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);

    private final FakeLogin login = new FakeLogin();
    private final Map<String, Object> context = new HashMap<>();
    private final LoginInProgress progress = LoginInProgress.of(login.session);

    LoginInProgressTest() {
        context.put("getAuthenticationSession", login.authSession);
        login.results.put("getContext", Fake.of(KeycloakContext.class, context));
    }

    @Test
    void loginIsThatOfTheContext() {
        login.authSessionResults.put("getAction", "AUTHENTICATE");
        assertEquals(Optional.of(login.authSession), progress.authSession());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOGGING_OUT", "LOGGED_OUT"})
    void logoutIsNoLogin(String action) {
        login.authSessionResults.put("getAction", action);
        assertEquals(Optional.empty(), progress.authSession());
    }

    @Test
    void refreshTokenKeepsTheLevelOnlyIfATokenTellsIt() {
        assertNull(progress.told());
        progress.resolvedOnce(() -> ResolvedLogin.of(LOGIN));
        assertEquals(LOGIN.withoutLevel(), progress.told());
        progress.levelIsTold();
        assertEquals(LOGIN, progress.told());
    }

    @Test
    void loginIsLookedUpOnce() {
        progress.resolvedOnce(() -> ResolvedLogin.of(LOGIN));
        ResolvedLogin again = LoginInProgress.of(login.session).resolvedOnce(() -> {
            throw new AssertionError("looked up twice");
        });
        assertEquals(LOGIN, again.login());
    }
}
