package io.github.checktoken.keycloak;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class KeycloakCompatibilityTest {

    private static final String GONE = " org.keycloak.authentication.Gone any ()V";

    @ParameterizedTest
    @EnumSource
    void everyPartWorksOnTheKeycloakOfThisBuild(Part part) {
        assertEquals(Optional.empty(), KeycloakCompatibility.problem(part));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"26.5.0", "26.5.6", "26.7.3", "26.10.0", "27.0.0", "999.0.0-SNAPSHOT", "26.5.6.redhat-00001"})
    void everyPartWorksOnThis(String version) {
        assertEquals(List.of(), off(new KeycloakCompatibility(version, List.of())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"26.4.7", "26.3.5", "26.0.12", "9.0.0", "26.4.4.redhat-00001"})
    void nothingWorksOnThis(String version) {
        assertEquals(List.of(Part.values()), off(new KeycloakCompatibility(version, List.of())));
    }

    @Test
    void saysWhatToDo() {
        String problem = new KeycloakCompatibility("26.3.5", List.of())
                .problemOf(Part.LOGIN)
                .orElseThrow();
        assertTrue(problem.contains("26.3.5") && problem.contains("26.5") && problem.contains("Update Keycloak"));
    }

    @ParameterizedTest
    @CsvSource({
        "admin, ADMIN",
        "introspection, INTROSPECTION ADMIN",
        "login, LOGIN",
        "'admin,login', LOGIN ADMIN",
        "shared, SHARED LOGIN INTROSPECTION ADMIN",
    })
    void missingMemberSwitchesOffOnlyWhatNeedsIt(String parts, String off) {
        assertEquals(
                Arrays.stream(off.split(" ")).map(Part::valueOf).toList(),
                off(new KeycloakCompatibility("27.0.0", List.of(NeededMember.parse(parts + GONE)))));
    }

    @Test
    void oneOfSeveralAlternativesIsEnough() {
        String declared = "login org.keycloak.authentication.AuthenticatorUtil getAuthnCredentials ";
        assertEquals(
                Optional.empty(),
                problem(declared + "()V|" + "(Lorg/keycloak/sessions/AuthenticationSessionModel;)Ljava/util/List;"));
        assertTrue(problem(declared + "()V|()I").isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "org.keycloak.authentication.Gone any ()V, Gone.any",
        "org.keycloak.authentication.AuthenticatorUtil renamed ()V, AuthenticatorUtil.renamed",
        "org.keycloak.authentication.AuthenticatorUtil isForcedReauthentication ()Z, AuthenticatorUtil.isForced",
        "org.keycloak.events.EventBuilder <init> ()V, new EventBuilder",
        "org.keycloak.events.EventType LOGIN Ljava/lang/String;, EventType.LOGIN",
    })
    void namesWhatKeycloakDoesNotHave(String member, String named) {
        String problem = problem("login " + member).orElseThrow();
        assertTrue(problem.contains(named) && problem.contains("27.0.0") && problem.contains("Install"), problem);
    }

    private static Optional<String> problem(String line) {
        return new KeycloakCompatibility("27.0.0", List.of(NeededMember.parse(line))).problemOf(Part.LOGIN);
    }

    private static List<Part> off(KeycloakCompatibility compatibility) {
        return Arrays.stream(Part.values())
                .filter(part -> compatibility.problemOf(part).isPresent())
                .toList();
    }
}
