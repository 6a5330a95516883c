package io.github.checktoken.login.gate;

import java.util.Set;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UnfinishedBrokerLoginTest {

    private static final String TIME = "AUTH_TIME_BROKER";

    @Test
    void earlierLoginAtAProviderIsBelieved() {
        String earlier = String.valueOf(CurrentTime.seconds() - 1000);
        assertEquals(earlier, UnfinishedBrokerLogin.notLaterThanNow(TIME, earlier));
        assertEquals("0", UnfinishedBrokerLogin.notLaterThanNow(TIME, "0"));
        assertNull(UnfinishedBrokerLogin.notLaterThanNow(TIME, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999", "99999999999999999999", "-1", "yesterday", ""})
    void timeInTheFutureOrNoneIsNow(String told) {
        int before = CurrentTime.seconds();
        int time = Integer.parseInt(UnfinishedBrokerLogin.notLaterThanNow(TIME, told));
        assertTrue(before <= time && time <= CurrentTime.seconds());
    }

    /** The levels go, too: the flow may have reached them before its last step. */
    @Test
    void nothingOfTheIdentityIsLeftWhenTheLoginEnds() {
        FakeLogin login = new FakeLogin();
        Set<String> ofTheIdentity = Set.of(
                "BROKERED_CONTEXT",
                "NESTED_FIRST_BROKER_CONTEXT",
                "EXISTING_USER_INFO",
                "OVERRIDE_LINK",
                "FIRST_BROKER_LOGIN_SUCCESS",
                "PBL_BROKERED_IDENTITY_CONTEXT",
                "PBL_AFTER_FIRST_BROKER_LOGIN",
                "level-of-authentication",
                "loa-map",
                "checktoken.waiting.identity",
                "checktoken.waiting.owner");
        ofTheIdentity.forEach(note -> login.authNotes.put(note, "{}"));
        login.authNotes.put("auth_type", "code");
        UnfinishedBrokerLogin.end(login.authSession);
        assertEquals(Set.of("auth_type"), login.authNotes.keySet());
    }

    @Test
    void otherNoteIsLeftAsItIs() {
        assertEquals("9999999999", UnfinishedBrokerLogin.notLaterThanNow("max_age", "9999999999"));
    }
}
