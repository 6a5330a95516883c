package io.github.checktoken.login.amr;

import java.util.List;

import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import io.github.checktoken.login.evidence.AuthenticationMethods;
import io.github.checktoken.login.evidence.JsonNote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests how a recorded login is written to a session note and read from it. */
class RecordedLoginTest {

    @Test
    void noteIsReadAsItWasWritten() {
        AuthenticationMethodUse password =
                new AuthenticationMethodUse("pwd", false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION);
        AuthenticationMethodUse passkey = new AuthenticationMethodUse("pop", true, 1_700_000_000, 36_000);
        RecordedLogin login = new RecordedLogin(
                "user", 2, "high", AmrClaimRequest.ESSENTIAL, new AuthenticationMethods(List.of(password, passkey)));
        assertEquals(
                login, JsonNote.read(JsonNote.write(login), RecordedLogin.class).orElseThrow());
    }

    /** A login that began with an older JAR can end with this one, so notes of earlier versions are read. */
    @Test
    void noteOfEarlierVersionIsRead() {
        String note = "{\"asked\":\"ESSENTIAL\",\"methods\":[{\"amr\":\"pwd\",\"mfa\":false,\"time\":0,\"max\":-1}]}";
        AuthenticationMethodUse password =
                new AuthenticationMethodUse("pwd", false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION);
        assertEquals(
                new RecordedLogin(AmrClaimRequest.ESSENTIAL, new AuthenticationMethods(List.of(password))),
                JsonNote.read(note, RecordedLogin.class).orElseThrow());
        assertEquals(
                RecordedLogin.UNKNOWN,
                JsonNote.read("{\"asked\":\"NO\",\"methods\":[]}", RecordedLogin.class)
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1]", "{\"asked\":\"MAYBE\"}"})
    void noteOfAnotherVersionIsNoRequest(String note) {
        assertTrue(JsonNote.read(note, RecordedLogin.class).isEmpty());
    }
}
