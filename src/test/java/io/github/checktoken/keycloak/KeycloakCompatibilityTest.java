package io.github.checktoken.keycloak;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class KeycloakCompatibilityTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"26.5.0", "26.5.6", "26.7.3", "26.10.0", "27.0.0", "999.0.0-SNAPSHOT", "26.5.6.redhat-00001"})
    void startsOnThis(String version) {
        assertDoesNotThrow(() -> KeycloakCompatibility.requireVersion(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"26.4.7", "26.3.5", "26.0.12", "9.0.0", "26.4.4.redhat-00001"})
    void doesNotStartOnThis(String version) {
        assertThrows(IllegalStateException.class, () -> KeycloakCompatibility.requireVersion(version));
    }

    @Test
    void saysWhatToDo() {
        String message = assertThrows(IllegalStateException.class, () -> KeycloakCompatibility.requireVersion("26.3.5"))
                .getMessage();
        assertTrue(message.contains("26.3.5") && message.contains("26.5") && message.contains("Update Keycloak"));
    }

    @ParameterizedTest
    @CsvSource({
        "org.keycloak.authentication.Gone any ()V, Gone.any",
        "org.keycloak.authentication.AuthenticatorUtil renamed ()V, AuthenticatorUtil.renamed",
        "org.keycloak.authentication.AuthenticatorUtil isForcedReauthentication ()Z, AuthenticatorUtil.isForced",
        "org.keycloak.events.EventBuilder <init> ()V, new EventBuilder",
        "org.keycloak.events.EventType LOGIN Ljava/lang/String;, EventType.LOGIN",
    })
    void namesWhatKeycloakDoesNotHave(String line, String named) {
        List<KeycloakInternalMember> members = List.of(KeycloakInternalMember.parse(line));
        String message = assertThrows(
                        IllegalStateException.class, () -> KeycloakCompatibility.requireMembers(members, "27.0.0"))
                .getMessage();
        assertTrue(message.contains(named) && message.contains("27.0.0") && message.contains("providers/"), message);
    }
}
