package io.github.checktoken.login.evidence;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ProofNotesTest {

    @Test
    void whatWasProvedGoesAndNothingElse() {
        FakeLogin login = new FakeLogin();
        Set.of("PASSWORD_VALIDATED", "level-of-authentication", "loa-map", "authn.credentials", "auth_type")
                .forEach(note -> login.authNotes.put(note, "{}"));
        login.userSessionNotes.putAll(Map.of("loa-map", "{}", "other", "{}"));
        ProofNotes.removeFrom(login.authSession);
        assertEquals(Set.of("auth_type"), login.authNotes.keySet());
        assertEquals(Set.of("other"), login.userSessionNotes.keySet());
    }
}
