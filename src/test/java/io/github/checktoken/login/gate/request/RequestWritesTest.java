package io.github.checktoken.login.gate.request;

import java.util.Map;
import java.util.Set;

import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RequestWritesTest {

    private final RequestWrites writes = new RequestWrites();

    @Test
    void nothingAboutAUserWhoWasRemovedIsLeft() {
        writes.userSet();
        writes.authNote("note", "value");
        writes.userSessionNote("note", "value");
        writes.executionStatus("execution", ExecutionStatus.SUCCESS);
        writes.requiredAction("action");
        writes.userRemoved();
        assertFalse(writes.isUserSet());
        assertEquals(Map.of(), writes.authNotes());
        assertEquals(Map.of(), writes.userSessionNotes());
        assertEquals(Map.of(), writes.executionStatus());
        assertEquals(Set.of(), writes.requiredActions());
    }

    /** The callback of a provider writes it before Keycloak resets the login. */
    @Test
    void noteOfTheClientStaysNotedWithItsFirstValue() {
        writes.clientNote("note", "before");
        writes.clientNote("note", "between");
        writes.userRemoved();
        assertTrue(writes.hasWrittenClientNote("note"));
        assertEquals("before", writes.clientNoteBefore("note"));
    }

    @Test
    void ownerIsUntouchedUntilSomethingIsWritten() {
        writes.ownerSet("before");
        assertTrue(writes.isNothingWrittenForOwner());
        writes.requiredAction("action");
        assertFalse(writes.isNothingWrittenForOwner());
    }

    @Test
    void noteThatWasRemovedIsNotWritten() {
        writes.authNote("note", "value");
        writes.authNote("note", null);
        assertEquals(Map.of(), writes.authNotes());
    }
}
