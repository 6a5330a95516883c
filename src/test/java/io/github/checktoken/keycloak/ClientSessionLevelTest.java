package io.github.checktoken.keycloak;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;
import org.keycloak.models.AuthenticatedClientSessionModel;

import io.github.checktoken.login.amr.NotesOnlyClientSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests which levels of its logins a client session knows. */
class ClientSessionLevelTest {

    private final Map<String, String> notes = new HashMap<>();
    private final AuthenticatedClientSessionModel clientSession = NotesOnlyClientSession.clientSession(notes);

    @AfterEach
    void resetClock() {
        Time.setOffset(0);
    }

    @Test
    void nothingIsNotedIfNoLoginWasRecorded() {
        ClientSessionLevel.bind(clientSession, 2, "token");
        assertEquals(Map.of(), notes);
    }

    @Test
    void eachTokenHasItsLevel() {
        notes.put("checktoken.level.lowest", "1");
        ClientSessionLevel.bind(clientSession, 1, "first", null);
        ClientSessionLevel.bind(clientSession, 2, "second");
        ClientSessionLevel.bind(clientSession, null, "third");
        assertEquals(Optional.of(1), ClientSessionLevel.ofToken(clientSession, "first"));
        assertEquals(Optional.of(2), ClientSessionLevel.ofToken(clientSession, "second"));
        assertEquals(Optional.of(-1), ClientSessionLevel.ofToken(clientSession, "third"));
        assertEquals(Optional.empty(), ClientSessionLevel.ofToken(clientSession, "fourth"));
    }

    @Test
    void latestTokensAreKept() {
        notes.put("checktoken.level.lowest", "1");
        for (int token = 0; token < 2 * ClientSessionLevel.MAX_TOKENS; token++) {
            Time.setOffset(token);
            ClientSessionLevel.bind(clientSession, 1, "token " + token);
        }
        assertEquals(1 + ClientSessionLevel.MAX_TOKENS, notes.size());
        assertEquals(Optional.empty(), ClientSessionLevel.ofToken(clientSession, "token 0"));
        assertEquals(
                Optional.of(1),
                ClientSessionLevel.ofToken(clientSession, "token " + (2 * ClientSessionLevel.MAX_TOKENS - 1)));
    }

    @Test
    void lowestLevelOfAnOfflineSessionIsThatOfAllItsLogins() {
        Map<String, String> offline = new HashMap<>(Map.of("checktoken.level.lowest", "2"));
        notes.put("checktoken.level.lowest", "1");
        ClientSessionLevel.copy(clientSession, NotesOnlyClientSession.clientSession(offline));
        assertEquals("1", offline.get("checktoken.level.lowest"));
    }
}
