package io.github.checktoken.login.gate;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

import org.keycloak.sessions.CommonClientSessionModel.Action;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import io.github.checktoken.login.gate.request.RequestWrites;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** What becomes of the state of a login when the person changes, for all notes that Keycloak writes. */
class FormerUserStateTest {

    private static final String FORMER = "of the former person";
    private static final String NEW = "of the new person";

    private final Judgements judgements = new Judgements("judged-notes.txt");
    private final FakeAuthenticationSession authSession = new FakeAuthenticationSession();
    private final RequestWrites writes = new RequestWrites();

    FormerUserStateTest() throws IOException {}

    @Test
    void notesOfTheFormerPersonGo() {
        Set<String> notes = judgements.names("auth ", "goes");
        assertFalse(notes.isEmpty());
        notes.forEach(note -> authSession.setAuthNote(note, FORMER));
        FormerUserState.drop(authSession, writes);
        assertEquals(Map.of(), authSession.authNotes);
    }

    @Test
    void notesAboutTheLoginStay() {
        Set<String> notes = judgements.names("auth ", "stays");
        notes.forEach(note -> authSession.setAuthNote(note, "about the login"));
        FormerUserState.drop(authSession, writes);
        assertEquals(notes, authSession.authNotes.keySet());
    }

    @Test
    void notesThatThisRequestHasWrittenStay() {
        for (String note : judgements.names("auth ", "goes")) {
            authSession.setAuthNote(note, NEW);
            writes.authNote(note, NEW);
        }
        Map<String, String> before = Map.copyOf(authSession.authNotes);
        FormerUserState.drop(authSession, writes);
        assertEquals(before, authSession.authNotes);
    }

    /** An extension may have notes of its own. */
    @Test
    void unknownNotesGo() {
        authSession.setAuthNote("unknown", FORMER);
        FormerUserState.drop(authSession, writes);
        assertEquals(Map.of(), authSession.authNotes);
    }

    @Test
    void notesForTheFormerPersonsSessionGo() {
        judgements.names("user-session ", "goes").forEach(note -> authSession.setUserSessionNote(note, FORMER));
        authSession.setUserSessionNote("identity_provider", NEW);
        writes.userSessionNote("identity_provider", NEW);
        FormerUserState.drop(authSession, writes);
        assertEquals(Map.of("identity_provider", NEW), authSession.userSessionNotes);
    }

    @Test
    void notesOfTheClientStay() {
        judgements.names("client ", "request").forEach(note -> authSession.clientNotes.put(note, "asked"));
        Map<String, String> before = Map.copyOf(authSession.clientNotes);
        FormerUserState.drop(authSession, writes);
        assertEquals(before, authSession.clientNotes);
    }

    @Test
    void whatTheFormerPersonDidWithTheClientsRequestGoes() {
        judgements.names("client ", "goes").forEach(note -> authSession.clientNotes.put(note, FORMER));
        authSession.clientNotes.put("kc.org", NEW);
        writes.clientNote("kc.org", FORMER);
        FormerUserState.drop(authSession, writes);
        assertEquals(Map.of("kc.org", NEW), authSession.clientNotes);
    }

    /** A first login at a provider is a reset too, in the request that has written the time. */
    @Test
    void timeAtAProviderGoesWithAReset() {
        authSession.clientNotes.put("AUTH_TIME_BROKER", FORMER);
        FormerUserState.dropAtReset(authSession, writes, false);
        assertEquals(Map.of(), authSession.clientNotes);
    }

    @Test
    void timeAtAProviderStaysInItsOwnRequest() {
        authSession.clientNotes.put("AUTH_TIME_BROKER", NEW);
        writes.clientNote("AUTH_TIME_BROKER", null);
        writes.userRemoved();
        FormerUserState.dropAtReset(authSession, writes, false);
        assertEquals(Map.of("AUTH_TIME_BROKER", NEW), authSession.clientNotes);
    }

    /** A restart that ends the person's session copies the notes to a new one, in the same request. */
    @Test
    void whatThePersonDidAfterTheLoginGoesWithARestart() {
        authSession.clientNotes.put("kc_action_status", FORMER);
        writes.clientNote("kc_action_status", null);
        FormerUserState.dropAtReset(authSession, writes, false);
        assertEquals(Map.of(), authSession.clientNotes);
    }

    @ParameterizedTest
    @EnumSource(ExecutionStatus.class)
    void executionsOfTheFormerPersonGo(ExecutionStatus status) {
        authSession.setExecutionStatus(FORMER, status);
        authSession.setExecutionStatus(NEW, status);
        writes.executionStatus(NEW, status);
        FormerUserState.drop(authSession, writes);
        assertEquals(Map.of(NEW, status), authSession.executions);
    }

    @Test
    void requiredActionsOfTheFormerPersonGo() {
        authSession.requiredActions.addAll(Set.of(FORMER, NEW));
        writes.requiredAction(NEW);
        FormerUserState.drop(authSession, writes);
        assertEquals(Set.of(NEW), authSession.requiredActions);
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void aPageOfTheFormerPersonIsNotShown(Action action) {
        authSession.setAction(action.name());
        FormerUserState.drop(authSession, writes);
        boolean goes = judgements.names("Action ", "goes").contains(action.name());
        assertEquals((goes ? Action.AUTHENTICATE : action).name(), authSession.getAction());
    }

    /** A required action and a consent are pages of the person, a form is one of the flow. */
    @ParameterizedTest
    @EnumSource(Action.class)
    void aPageOfTheFormerPersonIsNotDue(Action action) {
        authSession.setAction(action.name());
        authSession.setAuthNote("current.authentication.execution", "OAUTH_GRANT");
        FormerUserState.drop(authSession, writes);
        boolean goes = judgements.names("Action ", "goes").contains(action.name());
        assertEquals(goes ? Set.of() : Set.of("current.authentication.execution"), authSession.authNotes.keySet());
    }

    @Test
    void whatAClientOrItsPolicyAskedForStaysAtAReset() {
        Set<String> asked = Set.of(
                "requested-authentication-flow",
                "authentication-flow-level-of-authentication",
                "client-policy-requested-acr",
                "SAML_LOGIN_REQUEST_FORCEAUTHN");
        asked.forEach(note -> ClientDemands.keep(authSession, note, "asked"));
        authSession.setAuthNote(SessionIdBinding.NOTE, "bound");
        authSession.setAuthNote("unknown", FORMER);
        FormerUserState.dropAtReset(authSession, writes, false);
        asked.forEach(note -> assertEquals("asked", ClientDemands.note(authSession, note)));
        assertEquals(Set.of(SessionIdBinding.NOTE), authSession.authNotes.keySet());
    }
}
