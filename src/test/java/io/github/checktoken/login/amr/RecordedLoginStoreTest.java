package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests which login of a client session a code finds, and a refresh token. */
class RecordedLoginStoreTest {

    private static final int LIFESPAN = 60;

    private static final String KEY = RecordedLoginStore.codeKey("nonce", null);
    private static final RecordedLogin ASKING =
            new RecordedLogin(AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);
    private static final RecordedLogin SILENT =
            new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
    private static final RecordedLogin AMBIGUOUS =
            new RecordedLogin(AmrClaimRequest.AMBIGUOUS, AuthenticationMethods.NONE);

    private final Map<String, String> notes = new HashMap<>();
    private final RecordedLoginStore logins = new RecordedLoginStore(NotesOnlyClientSession.clientSession(notes));

    @AfterEach
    void resetClock() {
        Time.setOffset(0);
    }

    @Test
    void challengeTellsApartWhatTheNonceDoesNot() {
        assertNotEquals(RecordedLoginStore.codeKey("same", "one"), RecordedLoginStore.codeKey("same", "other"));
        assertNotEquals(RecordedLoginStore.codeKey("", "one"), RecordedLoginStore.codeKey("", "other"));
        assertEquals(RecordedLoginStore.codeKey("", "one"), RecordedLoginStore.codeKey(null, "one"));
        assertNotEquals(RecordedLoginStore.codeKey("one", "same"), RecordedLoginStore.codeKey("other", "same"));
    }

    @Test
    void codeFindsItsLoginOnce() {
        logins.addCode(KEY, ASKING, LIFESPAN);
        logins.addCode(RecordedLoginStore.codeKey("other", null), SILENT, LIFESPAN);
        assertEquals(Optional.of(ASKING), logins.redeemCode(KEY));
        assertEquals(Optional.empty(), logins.redeemCode(KEY));
    }

    @Test
    void alikeLoginsThatAgreeAreAnsweredEach() {
        logins.addCode(KEY, ASKING, LIFESPAN);
        logins.addCode(KEY, ASKING, LIFESPAN);
        assertEquals(Optional.of(ASKING), logins.redeemCode(KEY));
        assertEquals(Optional.of(ASKING), logins.redeemCode(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void alikeLoginsThatDifferAreNotAnswered() {
        logins.addCode(KEY, ASKING, LIFESPAN);
        logins.addCode(KEY, SILENT, LIFESPAN);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeemCode(KEY));
        assertEquals(Optional.of(AMBIGUOUS), logins.redeemCode(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void alikeLoginsThatDifferInAmrAloneKeepTheirLevel() {
        logins.addCode(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.addCode(
                KEY,
                new RecordedLogin("u", 2, null, AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE),
                LIFESPAN);
        RecordedLogin common = new RecordedLogin("u", 2, null, AmrClaimRequest.AMBIGUOUS, AuthenticationMethods.NONE);
        assertEquals(Optional.of(common), logins.redeemCode(KEY));
        assertEquals(Optional.of(common), logins.redeemCode(KEY));
    }

    @Test
    void alikeLoginsOfDifferentLevelsHaveNone() {
        logins.addCode(
                KEY, new RecordedLogin("u", 1, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.addCode(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        assertNull(logins.redeemCode(KEY).orElseThrow().level());
    }

    @Test
    void alikeLoginsOfDifferentPersonsHaveNothingInCommon() {
        logins.addCode(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.addCode(
                KEY, new RecordedLogin("v", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeemCode(KEY));
    }

    @Test
    void onlyOpenCodeIsTheUnknownOne() {
        logins.addCode(KEY, ofLevel(2), LIFESPAN);
        assertEquals(Optional.of(ofLevel(2)), logins.redeemUnknownCode());
        assertEquals(Optional.empty(), logins.redeemUnknownCode());
    }

    @Test
    void ofSeveralOpenCodesTheLowestLevelCounts() {
        logins.addCode(KEY, ofLevel(2), LIFESPAN);
        logins.addCode(RecordedLoginStore.codeKey("other", null), ofLevel(1), LIFESPAN);
        assertEquals(Optional.of(ofLevel(1)), logins.redeemUnknownCode());
        assertEquals(Optional.of(ofLevel(1)), logins.redeemUnknownCode());
        Time.setOffset(LIFESPAN + 1);
        assertEquals(Optional.empty(), logins.redeemUnknownCode());
    }

    @Test
    void ofSeveralOpenCodesTheOneWithoutALevelCounts() {
        logins.addCode(KEY, ofLevel(1), LIFESPAN);
        logins.addCode(RecordedLoginStore.codeKey("other", null), ofLevel(null), LIFESPAN);
        assertEquals(Optional.of(ofLevel(null)), logins.redeemUnknownCode());
    }

    private static RecordedLogin ofLevel(Integer level) {
        return new RecordedLogin("u", level, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);
    }

    /** Both transactions see the notes as they were before. Keycloak then merges their changes note by note. */
    @Test
    void loginsAtTheSameMomentDoNotOverwriteOneAnother() {
        Map<String, String> others = new HashMap<>(notes);
        logins.addCode(KEY, SILENT, LIFESPAN);
        new RecordedLoginStore(NotesOnlyClientSession.clientSession(others)).addCode(KEY, ASKING, LIFESPAN);
        notes.putAll(others);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeemCode(KEY));
    }

    @Test
    void expiredOnesGoWithTheNextLogin() {
        logins.addCode(KEY, ASKING, LIFESPAN);
        Time.setOffset(LIFESPAN + 1);
        logins.addCode(RecordedLoginStore.codeKey("other", null), SILENT, LIFESPAN);
        assertEquals(1, notes.size());
    }

    @Test
    void oldestGoWhenThereAreTooMany() {
        for (int login = 0; login < 2 * RecordedLoginStore.MAX_CODES; login++) {
            Time.setOffset(login / 2);
            logins.addCode(RecordedLoginStore.codeKey("nonce " + login, null), ASKING, LIFESPAN);
        }
        assertEquals(RecordedLoginStore.MAX_CODES, notes.size());
        assertEquals(Optional.empty(), logins.redeemCode(RecordedLoginStore.codeKey("nonce 0", null)));
        int last = 2 * RecordedLoginStore.MAX_CODES - 1;
        assertEquals(Optional.of(ASKING), logins.redeemCode(RecordedLoginStore.codeKey("nonce " + last, null)));
    }

    /** Notes in the format of an earlier release are removed without being read. */
    @Test
    void notesOfAnotherVersionGo() {
        notes.put("checktoken.amr.open." + KEY, "{\"request\":{},\"codes\":1,\"expires\":1}");
        logins.addCode(KEY, SILENT, LIFESPAN);
        assertEquals(1, notes.size());
        assertEquals(Optional.of(SILENT), logins.redeemCode(KEY));
    }

    /** A code is redeemed by another node or another version than the one that has noted its login. */
    @Test
    void codeOfEarlierVersionIsFound() {
        notes.put(
                "checktoken.amr.open." + KEY + ".2000000000.Ab3dEf9h",
                "{\"user\":\"u\",\"level\":2,\"asked\":\"NO\",\"methods\":[]}");
        RecordedLogin login =
                new RecordedLogin("u", 2, null, AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
        assertEquals(Optional.of(login), logins.redeemCode(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void tokenInUseKeepsItsLoginHoweverOftenItIsUsed() {
        logins.addRefreshToken("used", ASKING);
        for (int use = 1; use <= 5 * RecordedLoginStore.MAX_REFRESH_TOKENS; use++) {
            Time.setOffset(use);
            logins.transferRefreshToken("used", "issued " + use);
            assertEquals(Optional.of(ASKING), logins.findByRefreshToken("used"));
            assertEquals(Optional.of(ASKING), logins.findByRefreshToken("issued " + use));
        }
        assertEquals(RecordedLoginStore.MAX_REFRESH_TOKENS, notes.size());
    }

    /** Refresh tokens of earlier versions are still in use, so their notes are read. */
    @Test
    void noteOfEarlierVersionIsRead() {
        notes.put(
                "checktoken.amr.refresh.token",
                "{\"request\":{\"asked\":\"ESSENTIAL\",\"methods\":[]},\"used\":1763800000000}");
        assertEquals(Optional.of(ASKING), logins.findByRefreshToken("token"));
    }

    @Test
    void loginWithALevelIsKeptEvenIfItDidNotAsk() {
        RecordedLogin login =
                new RecordedLogin("u", 1, "eidas1", AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
        logins.addRefreshToken("token", login);
        assertEquals(Optional.of(login), logins.findByRefreshToken("token"));
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
        RecordedLoginStore store = new RecordedLoginStore(NotesOnlyClientSession.clientSession(watched));
        store.addRefreshToken("used", ASKING);
        store.addRefreshToken("used", ASKING);
        store.transferRefreshToken("used", "issued");
        assertEquals(Optional.of(ASKING), store.findByRefreshToken("used"));
    }

    @Test
    void loginThatDidNotAskHasNone() {
        logins.addRefreshToken("token", new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE));
        logins.transferRefreshToken("token", "issued");
        assertTrue(notes.isEmpty(), notes::toString);
    }
}
