package io.github.checktoken.login.gate.provider;

import java.util.Map;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.gate.FakeAuthenticationSession;
import io.github.checktoken.login.gate.request.RequestWrites;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TimeAtProviderTest {

    private static final String TIME = "AUTH_TIME_BROKER";

    @Test
    void earlierLoginAtAProviderIsBelieved() {
        String earlier = String.valueOf(CurrentTime.seconds() - 1000);
        assertEquals(earlier, TimeAtProvider.notLaterThanNow(TIME, earlier));
        assertEquals("0", TimeAtProvider.notLaterThanNow(TIME, "0"));
        assertNull(TimeAtProvider.notLaterThanNow(TIME, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999", "99999999999999999999", "-1", "yesterday", ""})
    void timeInTheFutureOrNoneIsNow(String told) {
        int before = CurrentTime.seconds();
        int time = Integer.parseInt(TimeAtProvider.notLaterThanNow(TIME, told));
        assertTrue(before <= time && time <= CurrentTime.seconds());
    }

    @Test
    void otherNoteIsLeftAsItIs() {
        assertEquals("9999999999", TimeAtProvider.notLaterThanNow("max_age", "9999999999"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", ""})
    void linkOnRequestKeepsTheTimeOfBefore(String before) {
        FakeAuthenticationSession login = new FakeAuthenticationSession();
        RequestWrites writes = new RequestWrites();
        login.clientNotes.put(TIME, "2000");
        writes.clientNote(TIME, before.isEmpty() ? null : before);
        TimeAtProvider.keepThatOfBefore(login, writes);
        assertEquals(before.isEmpty() ? Map.of() : Map.of(TIME, before), login.clientNotes);
    }
}
