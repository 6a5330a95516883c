package io.github.checktoken.login.gate;

import io.github.checktoken.keycloak.CurrentTime;
import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A login may take 1,800 seconds in this realm. */
class LoginDeadlineTest {

    private final FakeLogin login = new FakeLogin();

    LoginDeadlineTest() {
        login.realmResults.put("getAccessCodeLifespanLogin", 1800);
        login.realmResults.put("getAccessCodeLifespan", 60);
    }

    @Test
    void loginThatHasNotBegunIsNotOver() {
        assertFalse(LoginDeadline.isOver(login.authSession));
    }

    @Test
    void loginThatHasJustBegunIsNotOver() {
        LoginDeadline.begin(login.authSession);
        assertFalse(LoginDeadline.isOver(login.authSession));
    }

    @Test
    void lastSecondBelongsToTheLogin() {
        assertFalse(isOverAfter(1800));
        assertTrue(isOverAfter(1801));
    }

    private boolean isOverAfter(int seconds) {
        int now;
        boolean isOver;
        do {
            now = CurrentTime.seconds();
            login.authNotes.put("checktoken.since", String.valueOf(now - seconds));
            isOver = LoginDeadline.isOver(login.authSession);
        } while (now != CurrentTime.seconds());
        return isOver;
    }
}
