package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests how the login that a refresh token comes from is found. */
class RefreshTokenLoginStoreTest {

    private static final RecordedLogin ASKING =
            new RecordedLogin(AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);

    private final Map<String, String> notes = new HashMap<>();
    private final RefreshTokenLoginStore logins =
            new RefreshTokenLoginStore(NotesOnlyClientSession.clientSession(notes));

    @AfterEach
    void resetClock() {
        Time.setOffset(0);
    }

    @Test
    void tokenInUseKeepsItsLoginHoweverOftenItIsUsed() {
        logins.add("used", ASKING);
        for (int use = 1; use <= 5 * RefreshTokenLoginStore.MAX_TOKENS; use++) {
            Time.setOffset(use);
            logins.transfer("used", "issued " + use);
            assertEquals(Optional.of(ASKING), logins.find("used"));
            assertEquals(Optional.of(ASKING), logins.find("issued " + use));
        }
        assertEquals(RefreshTokenLoginStore.MAX_TOKENS, notes.size());
    }

    /** Refresh tokens of earlier versions are still in use, so their notes are read. */
    @Test
    void noteOfEarlierVersionIsRead() {
        notes.put(
                "checktoken.amr.refresh.token",
                "{\"request\":{\"asked\":\"ESSENTIAL\",\"methods\":[]},\"used\":1763800000000}");
        assertEquals(Optional.of(ASKING), logins.find("token"));
    }

    @Test
    void loginWithALevelIsKeptEvenIfItDidNotAsk() {
        RecordedLogin login =
                new RecordedLogin("u", 1, "eidas1", AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
        logins.add("token", login);
        assertEquals(Optional.of(login), logins.find("token"));
    }

    /** Parallel refreshes with the same token read the note while it is written. */
    @Test
    void noteInUseIsReplacedAndNeverRemoved() {
        Map<String, String> watched = new HashMap<>() {
            @Override
            public String remove(Object note) {
                throw new AssertionError("removed: " + note);
            }
        };
        RefreshTokenLoginStore store = new RefreshTokenLoginStore(NotesOnlyClientSession.clientSession(watched));
        store.add("used", ASKING);
        store.add("used", ASKING);
        store.transfer("used", "issued");
        assertEquals(Optional.of(ASKING), store.find("used"));
    }

    @Test
    void loginThatDidNotAskHasNone() {
        logins.add("token", new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE));
        logins.transfer("token", "issued");
        assertTrue(notes.isEmpty(), notes::toString);
    }
}
