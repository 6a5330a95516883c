package io.github.checktoken.login.gate;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.AuthenticationSessionProvider;
import org.keycloak.sessions.CommonClientSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Somebody has judged each thing that the tested version of Keycloak keeps in an authentication session: whether it may
 * stay when the person changes. The bytecode of Keycloak says what it keeps. No server is started.
 */
class JudgedNotesIT {

    private static KeycloakJars keycloak;

    private final Judgements judgements = new Judgements("judged-notes.txt");

    JudgedNotesIT() throws IOException {}

    @BeforeAll
    static void readBytecode() throws IOException {
        keycloak = new KeycloakJars(
                text -> text.contains("org/keycloak/sessions/") || text.contains("BrokeredIdentityContext"));
    }

    @Test
    void eachNoteOfKeycloakIsJudged() throws AnalyzerException {
        SortedSet<String> notes = WrittenNotes.of(keycloak.classes().values());
        assertTrue(notes.size() > 100, "found only " + notes);
        judgements.assertContain(
                notes,
                "Read in Keycloak's source what the note says. If it must stay when the person changes, add it to"
                        + " FormerUserState.KEPT_NOTES. If it is a client note and must go, add it to DROPPED_CLIENT_NOTES. If it is of a new kind, add that to docs/security.md.");
    }

    @Test
    void eachActionAndStatusOfKeycloakIsJudged() {
        List<String> constants =
                List.of(CommonClientSessionModel.Action.class, CommonClientSessionModel.ExecutionStatus.class).stream()
                        .flatMap(type -> keycloak.classes().get(name(type)).fields.stream()
                                .filter(field -> (field.access & Opcodes.ACC_ENUM) != 0)
                                .map(field -> type.getSimpleName() + " " + field.name))
                        .toList();
        judgements.assertContain(
                constants, "Decide in FormerUserState.drop what becomes of it when the person changes.");
    }

    @Test
    void whatIsJudgedToStayIsKept() {
        Set<String> kept = new TreeSet<>(FormerUserState.KEPT_NOTES);
        kept.removeAll(List.of(SessionIdBinding.NOTE, LoginBegunAnew.NOTE));
        assertEquals(judgements.names("auth ", "stays"), kept);
    }

    @Test
    void clientNotesThatAreJudgedToGoAreDropped() {
        assertEquals(judgements.names("client ", "goes"), new TreeSet<>(FormerUserState.DROPPED_CLIENT_NOTES));
    }

    /** A default method that Keycloak adds would work on our object instead of Keycloak's. */
    @Test
    void eachMethodOfKeycloaksSessionsIsForwarded() {
        assertForwarded(CommonClientSessionModel.class, PersonBoundAuthenticationSession.class);
        assertForwarded(AuthenticationSessionModel.class, PersonBoundAuthenticationSession.class);
        assertForwarded(RootAuthenticationSessionModel.class, PersonBoundRootAuthenticationSession.class);
        assertForwarded(AuthenticationSessionProvider.class, GuardingSessionProvider.class);
    }

    private static void assertForwarded(Class<?> ofKeycloak, Class<?> ours) {
        List<String> declared = Stream.<Class<?>>iterate(ours, Class::getSuperclass)
                .takeWhile(type -> type != Object.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(method -> method.getName() + "/" + method.getParameterCount())
                .toList();
        List<String> missing = keycloak.classes().get(name(ofKeycloak)).methods.stream()
                .filter(method -> (method.access & Opcodes.ACC_STATIC) == 0)
                .map(JudgedNotesIT::nameAndParameters)
                .filter(method -> !declared.contains(method))
                .toList();
        assertEquals(List.of(), missing, "Forward these methods in " + ours.getSimpleName());
    }

    private static String nameAndParameters(MethodNode method) {
        return method.name + "/" + Type.getArgumentTypes(method.desc).length;
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
