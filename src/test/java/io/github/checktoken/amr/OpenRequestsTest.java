package io.github.checktoken.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;

import io.github.checktoken.method.AuthenticationMethods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Logins of one client session whose codes wait to be redeemed. */
class OpenRequestsTest {

    private static final int LIFESPAN = 60;
    private static final String KEY = OpenRequests.key("nonce", null);
    private static final AmrRequest ASKING = new AmrRequest(Asked.ESSENTIAL, AuthenticationMethods.NONE);
    private static final AmrRequest SILENT = new AmrRequest(Asked.NO, AuthenticationMethods.NONE);

    private final Map<String, String> notes = new HashMap<>();
    private final OpenRequests requests = new OpenRequests(NotesOnly.clientSession(notes));

    @AfterEach
    void resetClock() {
        Time.setOffset(0);
    }

    @Test
    void codeFindsItsLoginOnce() {
        requests.open(KEY, ASKING, LIFESPAN);
        requests.open(OpenRequests.key("other", null), SILENT, LIFESPAN);
        assertEquals(Optional.of(ASKING), requests.redeem(KEY));
        assertEquals(Optional.empty(), requests.redeem(KEY));
    }

    @Test
    void alikeLoginsThatAgreeAreAnsweredEach() {
        requests.open(KEY, ASKING, LIFESPAN);
        requests.open(KEY, ASKING, LIFESPAN);
        assertEquals(Optional.of(ASKING), requests.redeem(KEY));
        assertEquals(Optional.of(ASKING), requests.redeem(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void alikeLoginsThatDifferAreNotAnswered() {
        requests.open(KEY, ASKING, LIFESPAN);
        requests.open(KEY, SILENT, LIFESPAN);
        assertEquals(Optional.of(AmrRequest.UNKNOWN), requests.redeem(KEY));
        assertEquals(Optional.of(AmrRequest.UNKNOWN), requests.redeem(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    /** Each transaction sees the notes as they were; Keycloak then merges the two note by note. */
    @Test
    void loginsAtTheSameMomentDoNotOverwriteOneAnother() {
        Map<String, String> others = new HashMap<>(notes);
        requests.open(KEY, SILENT, LIFESPAN);
        new OpenRequests(NotesOnly.clientSession(others)).open(KEY, ASKING, LIFESPAN);
        notes.putAll(others);
        assertEquals(Optional.of(AmrRequest.UNKNOWN), requests.redeem(KEY));
    }

    @Test
    void expiredOnesGoWithTheNextLogin() {
        requests.open(KEY, ASKING, LIFESPAN);
        Time.setOffset(LIFESPAN + 1);
        requests.open(OpenRequests.key("other", null), SILENT, LIFESPAN);
        assertEquals(1, notes.size());
    }

    @Test
    void oldestGoWhenThereAreTooMany() {
        for (int login = 0; login < 2 * OpenRequests.KEPT; login++) {
            Time.setOffset(login / 2);
            requests.open(OpenRequests.key("nonce " + login, null), ASKING, LIFESPAN);
        }
        assertEquals(OpenRequests.KEPT, notes.size());
        assertEquals(Optional.empty(), requests.redeem(OpenRequests.key("nonce 0", null)));
        int last = 2 * OpenRequests.KEPT - 1;
        assertEquals(Optional.of(ASKING), requests.redeem(OpenRequests.key("nonce " + last, null)));
    }

    /** As the release before wrote them: removed, not read. */
    @Test
    void notesOfAnotherVersionGo() {
        notes.put("checktoken.amr.open." + KEY, "{\"request\":{},\"codes\":1,\"expires\":1}");
        requests.open(KEY, SILENT, LIFESPAN);
        assertEquals(1, notes.size());
        assertEquals(Optional.of(SILENT), requests.redeem(KEY));
    }
}
