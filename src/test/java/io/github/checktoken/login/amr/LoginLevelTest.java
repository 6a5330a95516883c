package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.login.evidence.LevelTimes;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.evidence.MaxAge;
import io.github.checktoken.login.evidence.ProviderLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class LoginLevelTest {

    private final FakeLogin login = new FakeLogin();

    @ParameterizedTest
    @CsvSource({"1, 2, 2", "2, 1, 2", "2, 2, 2", "2, , 2", "0, 1, 1", "0, , 0"})
    void higherOfTheLevelHereAndAtTheProviderCounts(String here, Integer atTheProvider, int counts) {
        login.authNotes.put("level-of-authentication", here);
        assertEquals(counts, level(atTheProvider));
    }

    @Test
    void levelAtTheProviderCountsIfNothingWasReachedHere() {
        assertEquals(2, level(2));
    }

    @Test
    void loginWithoutAnythingHasNoLevel() {
        assertNull(level(null));
    }

    @Test
    void singleSignOnWithoutALevelHasTheLowest() {
        login.authNotes.put("SSO_AUTH", "true");
        assertEquals(0, level(null));
    }

    @Test
    void loginThatIdentifiesTheUserHasTheFirstLevel() {
        login.signIn("anna");
        login.authNotes.put("ACTION_TOKEN_USER", "anna");
        assertEquals(1, level(null));
    }

    private Integer level(Integer atTheProvider) {
        return new LoginLevel(
                        login.authSession,
                        NotesOnlyClientSession.clientSession(new HashMap<>()),
                        new LoginEvidence(login.session, login.authSession),
                        new ProviderLevel(atTheProvider, new LevelTimes(Map.of())),
                        new MaxAge(null))
                .value();
    }
}
