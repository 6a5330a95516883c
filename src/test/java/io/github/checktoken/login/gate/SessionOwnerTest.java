package io.github.checktoken.login.gate;

import java.util.Map;

import org.keycloak.models.UserModel;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.login.gate.request.RequestWrites;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Anna was the user of a login before this request. */
class SessionOwnerTest {

    private final FakeLogin login = new FakeLogin();
    private final RequestWrites writes = new RequestWrites();
    private final SessionOwner owner = new SessionOwner(login.authSession, writes);

    SessionOwnerTest() {
        login.signIn("anna");
        login.authNotes.put(SessionOwner.NOTE, "anna");
    }

    @Test
    void ownerStaysIfTheUserIsOnlyRemoved() {
        owner.removeUser();
        assertNull(login.authSession.getAuthenticatedUser());
        assertEquals("anna", owner.id());
    }

    @Test
    void userIsTheOwnerIfNoneIsNoted() {
        login.authNotes.clear();
        assertEquals("anna", owner.id());
        owner.removeUser();
        assertEquals("anna", owner.id());
    }

    /** So a form does that links an account. */
    @Test
    void userWhoWasSetAndRemovedWithoutATraceIsNoOwner() {
        setBruno();
        owner.removeUser();
        assertEquals("anna", owner.id());
    }

    @Test
    void userForWhomSomethingWasWrittenIsTheOwner() {
        setBruno();
        writes.authNote("note", "about Bruno");
        owner.removeUser();
        assertEquals("bruno", owner.id());
    }

    private void setBruno() {
        UserModel bruno = Fake.of(UserModel.class, Map.of("getId", "bruno"));
        login.authSession.setAuthenticatedUser(bruno);
        owner.set(bruno, owner.id());
    }
}
