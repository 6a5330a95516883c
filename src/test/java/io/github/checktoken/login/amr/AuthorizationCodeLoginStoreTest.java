package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.keycloak.common.util.Time;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the logins of one client session whose codes have not been redeemed yet. */
class AuthorizationCodeLoginStoreTest {

    private static final int LIFESPAN = 60;
    private static final String KEY = AuthorizationCodeLoginStore.key("nonce", null);
    private static final RecordedLogin ASKING =
            new RecordedLogin(AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);
    private static final RecordedLogin SILENT =
            new RecordedLogin(AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE);
    private static final RecordedLogin AMBIGUOUS =
            new RecordedLogin(AmrClaimRequest.AMBIGUOUS, AuthenticationMethods.NONE);

    private final Map<String, String> notes = new HashMap<>();
    private final AuthorizationCodeLoginStore logins =
            new AuthorizationCodeLoginStore(NotesOnlyClientSession.clientSession(notes));

    @AfterEach
    void resetClock() {
        Time.setOffset(0);
    }

    @Test
    void codeFindsItsLoginOnce() {
        logins.add(KEY, ASKING, LIFESPAN);
        logins.add(AuthorizationCodeLoginStore.key("other", null), SILENT, LIFESPAN);
        assertEquals(Optional.of(ASKING), logins.redeem(KEY));
        assertEquals(Optional.empty(), logins.redeem(KEY));
    }

    @Test
    void alikeLoginsThatAgreeAreAnsweredEach() {
        logins.add(KEY, ASKING, LIFESPAN);
        logins.add(KEY, ASKING, LIFESPAN);
        assertEquals(Optional.of(ASKING), logins.redeem(KEY));
        assertEquals(Optional.of(ASKING), logins.redeem(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void alikeLoginsThatDifferAreNotAnswered() {
        logins.add(KEY, ASKING, LIFESPAN);
        logins.add(KEY, SILENT, LIFESPAN);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeem(KEY));
        assertEquals(Optional.of(AMBIGUOUS), logins.redeem(KEY));
        assertTrue(notes.isEmpty(), notes::toString);
    }

    @Test
    void alikeLoginsThatDifferInAmrAloneKeepTheirLevel() {
        logins.add(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.add(
                KEY,
                new RecordedLogin("u", 2, null, AmrClaimRequest.NOT_REQUESTED, AuthenticationMethods.NONE),
                LIFESPAN);
        RecordedLogin common = new RecordedLogin("u", 2, null, AmrClaimRequest.AMBIGUOUS, AuthenticationMethods.NONE);
        assertEquals(Optional.of(common), logins.redeem(KEY));
        assertEquals(Optional.of(common), logins.redeem(KEY));
    }

    @Test
    void alikeLoginsOfDifferentLevelsHaveNone() {
        logins.add(
                KEY, new RecordedLogin("u", 1, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.add(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        assertNull(logins.redeem(KEY).orElseThrow().level());
    }

    @Test
    void alikeLoginsOfDifferentPersonsHaveNothingInCommon() {
        logins.add(
                KEY, new RecordedLogin("u", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        logins.add(
                KEY, new RecordedLogin("v", 2, null, AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE), LIFESPAN);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeem(KEY));
    }

    /** Both transactions see the notes as they were before. Keycloak then merges their changes note by note. */
    @Test
    void loginsAtTheSameMomentDoNotOverwriteOneAnother() {
        Map<String, String> others = new HashMap<>(notes);
        logins.add(KEY, SILENT, LIFESPAN);
        new AuthorizationCodeLoginStore(NotesOnlyClientSession.clientSession(others)).add(KEY, ASKING, LIFESPAN);
        notes.putAll(others);
        assertEquals(Optional.of(AMBIGUOUS), logins.redeem(KEY));
    }

    @Test
    void expiredOnesGoWithTheNextLogin() {
        logins.add(KEY, ASKING, LIFESPAN);
        Time.setOffset(LIFESPAN + 1);
        logins.add(AuthorizationCodeLoginStore.key("other", null), SILENT, LIFESPAN);
        assertEquals(1, notes.size());
    }

    @Test
    void oldestGoWhenThereAreTooMany() {
        for (int login = 0; login < 2 * AuthorizationCodeLoginStore.MAX_LOGINS; login++) {
            Time.setOffset(login / 2);
            logins.add(AuthorizationCodeLoginStore.key("nonce " + login, null), ASKING, LIFESPAN);
        }
        assertEquals(AuthorizationCodeLoginStore.MAX_LOGINS, notes.size());
        assertEquals(Optional.empty(), logins.redeem(AuthorizationCodeLoginStore.key("nonce 0", null)));
        int last = 2 * AuthorizationCodeLoginStore.MAX_LOGINS - 1;
        assertEquals(Optional.of(ASKING), logins.redeem(AuthorizationCodeLoginStore.key("nonce " + last, null)));
    }

    /** Notes in the format of an earlier release are removed without being read. */
    @Test
    void notesOfAnotherVersionGo() {
        notes.put("checktoken.amr.open." + KEY, "{\"request\":{},\"codes\":1,\"expires\":1}");
        logins.add(KEY, SILENT, LIFESPAN);
        assertEquals(1, notes.size());
        assertEquals(Optional.of(SILENT), logins.redeem(KEY));
    }
}
