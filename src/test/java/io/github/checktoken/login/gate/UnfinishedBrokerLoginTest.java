package io.github.checktoken.login.gate;

import io.github.checktoken.keycloak.CurrentTime;
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

    @Test
    void otherNoteIsLeftAsItIs() {
        assertEquals("9999999999", UnfinishedBrokerLogin.notLaterThanNow("max_age", "9999999999"));
    }
}
