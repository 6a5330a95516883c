package io.github.checktoken.login.evidence;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An earlier request of this login has noted a password of Anna. */
class LoginEvidenceTest {

    private final FakeLogin login = new FakeLogin();

    LoginEvidenceTest() {
        AuthenticationMethodUse password =
                new AuthenticationMethodUse("pwd", false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION);
        LoginEvidenceNote note =
                new LoginEvidenceNote("anna", 1, Set.of(), new AuthenticationMethods(List.of(password)), false);
        login.authNotes.put("checktoken.evidence", JsonNote.write(note));
    }

    @Test
    void evidenceCountsForItsUser() {
        login.signIn("anna");
        assertEquals(Set.of("pwd"), evidence().methods().values());
        assertTrue(evidence().identifiesUserInThisLogin());
    }

    @Test
    void evidenceCountsForNobodyElse() {
        login.signIn("bruno");
        assertEquals(Set.of(), evidence().methods().values());
        assertFalse(evidence().identifiesUserInThisLogin());
    }

    @Test
    void evidenceCountsForNobodyWithoutAUser() {
        assertEquals(Set.of(), evidence().methods().values());
        assertFalse(evidence().identifiesUserInThisLogin());
    }

    @Test
    void linkOfAMailIdentifiesItsUserAlone() {
        login.authNotes.clear();
        login.authNotes.put("ACTION_TOKEN_USER", "anna");
        login.signIn("anna");
        assertTrue(evidence().identifiesUserInThisLogin());
        login.signIn("bruno");
        assertFalse(evidence().identifiesUserInThisLogin());
    }

    @Test
    void loginIsForcedIfThePromptOrSamlSaysSo() {
        assertFalse(evidence().isForced());
        login.clientNotes.put("prompt", "consent login");
        assertTrue(evidence().isForced());
        login.clientNotes.clear();
        login.authNotes.put("SAML_LOGIN_REQUEST_FORCEAUTHN", "true");
        assertTrue(evidence().isForced());
    }

    /** Keycloak clears its own note of a forced login before a first broker login. */
    @Test
    void maxAgeReplacesTheMethodsOfTheSessionOnlyIfAProviderWasUsed() {
        login.clientNotes.put("max_age", "60");
        assertFalse(evidence().replacesSessionMethods());
        login.userSessionNotes.put("identity_provider", "fc");
        assertTrue(evidence().replacesSessionMethods());
        login.clientNotes.clear();
        assertFalse(evidence().replacesSessionMethods());
    }

    private LoginEvidence evidence() {
        return new LoginEvidence(login.session, login.authSession);
    }
}
