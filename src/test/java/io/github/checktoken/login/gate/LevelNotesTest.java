package io.github.checktoken.login.gate;

import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class LevelNotesTest {

    private final FakeLogin login = new FakeLogin();

    /** A client policy promises the level when the client asks, and means the login page. */
    @ParameterizedTest
    @CsvSource({
        "protocol/openid-connect/auth, false",
        "login-actions/authenticate, false",
        "login-actions/reset-credentials, true",
        "login-actions/registration, true",
        "login-actions/first-broker-login, true",
        "login-actions/required-action, true"
    })
    void levelThatAClientPolicyPromisesCountsOnTheLoginPage(String path, boolean isOfAnotherPage) {
        assertEquals(isOfAnotherPage, notes(path).isOfAnotherPage("authentication-flow-level-of-authentication"));
    }

    @Test
    void levelThatWasReachedCountsOnEachPage() {
        assertFalse(notes("login-actions/registration").isOfAnotherPage("level-of-authentication"));
    }

    private LevelNotes notes(String path) {
        return new LevelNotes(login.session, FakeRequest.of(login, path));
    }
}
