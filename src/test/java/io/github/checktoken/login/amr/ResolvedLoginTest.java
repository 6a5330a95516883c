package io.github.checktoken.login.amr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.github.checktoken.login.evidence.AuthenticationMethods;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Tests whose login is told, and why none is. */
class ResolvedLoginTest {

    private static final RecordedLogin OF_U =
            new RecordedLogin("u", 2, "high", AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);

    @Test
    void loginOfTheSessionsPersonIsTold() {
        assertEquals(new ResolvedLogin(OF_U, null), ResolvedLogin.of(OF_U).ofUser("u"));
    }

    @Test
    void loginOfSomebodyElseIsNotTold() {
        assertEquals(
                new ResolvedLogin(RecordedLogin.UNKNOWN, AmrOmission.OTHER_PERSON),
                ResolvedLogin.of(OF_U).ofUser("v"));
    }

    /** Its notes are removed with the session when another person gets the session's id. */
    @Test
    void loginOfAnEarlierVersionNamesNobodyAndIsTold() {
        RecordedLogin earlier = new RecordedLogin(AmrClaimRequest.ESSENTIAL, AuthenticationMethods.NONE);
        assertEquals(new ResolvedLogin(earlier, null), ResolvedLogin.of(earlier).ofUser("v"));
    }

    @Test
    void missingLoginIsReportedOnlyIfTheLastRequestAsked() {
        Map<String, String> notes = new HashMap<>();
        assertNull(missing(notes).omission());
        notes.put("claims", "{\"id_token\":{\"amr\":{\"essential\":true}}}");
        assertEquals(AmrOmission.LOGIN_NOT_FOUND, missing(notes).omission());
    }

    private static ResolvedLogin missing(Map<String, String> notes) {
        return ResolvedLogin.of(Optional.empty(), NotesOnlyClientSession.clientSession(notes));
    }
}
