package io.github.checktoken.login.gate.provider;

import java.util.Set;

import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class UnfinishedBrokerLoginTest {

    /** The levels go, too: the flow may have reached them before its last step. */
    @Test
    void nothingOfTheIdentityIsLeftWhenTheLoginEnds() {
        FakeLogin login = new FakeLogin();
        Set<String> ofTheIdentity = Set.of(
                "BROKERED_CONTEXT",
                "NESTED_FIRST_BROKER_CONTEXT",
                "EXISTING_USER_INFO",
                "OVERRIDE_LINK",
                "FIRST_BROKER_LOGIN_SUCCESS",
                "PBL_BROKERED_IDENTITY_CONTEXT",
                "PBL_AFTER_FIRST_BROKER_LOGIN",
                "level-of-authentication",
                "loa-map",
                "checktoken.waiting.identity",
                "checktoken.waiting.owner");
        ofTheIdentity.forEach(note -> login.authNotes.put(note, "{}"));
        login.authNotes.put("auth_type", "code");
        UnfinishedBrokerLogin.end(login.authSession);
        assertEquals(Set.of("auth_type"), login.authNotes.keySet());
    }
}
