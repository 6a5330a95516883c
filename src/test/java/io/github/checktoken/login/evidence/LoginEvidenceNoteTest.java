package io.github.checktoken.login.evidence;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A login may begin with one version of the JAR and end with another, so notes of other versions must be readable. */
class LoginEvidenceNoteTest {

    private static final LoginEvidenceNote PASSWORD = new LoginEvidenceNote(
            "user-id",
            1,
            Set.of("execution-id"),
            new AuthenticationMethods(List.of(new AuthenticationMethodUse(
                    "pwd", false, 1_763_800_000, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION))),
            false);

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"later\":{\"version\":2}"})
    void noteOfAnotherVersionIsRead(String member) {
        String note = "{\"user\":\"user-id\",\"credentials\":1,\"executions\":[\"execution-id\"],\"methods\":"
                + "[{\"amr\":\"pwd\",\"mfa\":false,\"time\":1763800000,\"max\":-1}],\"registered\":false" + member
                + "}";
        assertEquals(Optional.of(PASSWORD), JsonNote.read(note, LoginEvidenceNote.class));
    }

    @Test
    void noteIsReadAsItWasWrittenWithTheCredential() {
        AuthenticationMethods methods =
                new AuthenticationMethods(List.of(new AuthenticationMethodUse("badge", false, 1, -1, "password")));
        assertEquals(Optional.of(methods), JsonNote.read(JsonNote.write(methods), AuthenticationMethods.class));
    }

    @Test
    void noteIsReadAsItWasWritten() {
        assertEquals(Optional.of(PASSWORD), JsonNote.read(JsonNote.write(PASSWORD), LoginEvidenceNote.class));
    }
}
