package io.github.checktoken.amr;

import java.util.List;

import io.github.checktoken.method.AuthenticationMethods;
import io.github.checktoken.method.MethodUse;
import io.github.checktoken.session.JsonNote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A recorded login as a session note. */
class AmrRequestTest {

    @Test
    void noteIsReadAsItWasWritten() {
        MethodUse password = new MethodUse("pwd", false, 0, MethodUse.AS_LONG_AS_THE_SESSION);
        MethodUse passkey = new MethodUse("pop", true, 1_700_000_000, 36_000);
        AmrRequest request = new AmrRequest(Asked.ESSENTIAL, new AuthenticationMethods(List.of(password, passkey)));
        assertEquals(
                request,
                JsonNote.read(JsonNote.write(request), AmrRequest.class).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1]", "{\"asked\":\"MAYBE\"}"})
    void noteOfAnotherVersionIsNoRequest(String note) {
        assertTrue(JsonNote.read(note, AmrRequest.class).isEmpty());
    }
}
