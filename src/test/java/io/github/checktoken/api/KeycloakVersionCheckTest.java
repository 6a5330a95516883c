package io.github.checktoken.api;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class KeycloakVersionCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"26.5.0", "26.5.6", "26.7.3", "26.10.0", "27.0.0", "999.0.0-SNAPSHOT", "26.5.6.redhat-00001"})
    void startsOnThis(String version) {
        assertDoesNotThrow(() -> KeycloakVersionCheck.require(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"26.4.7", "26.3.5", "26.0.12", "9.0.0", "26.4.4.redhat-00001"})
    void doesNotStartOnThis(String version) {
        assertThrows(IllegalStateException.class, () -> KeycloakVersionCheck.require(version));
    }

    @Test
    void saysWhatToDo() {
        String message = assertThrows(IllegalStateException.class, () -> KeycloakVersionCheck.require("26.3.5"))
                .getMessage();
        assertTrue(message.contains("26.3.5") && message.contains("26.5") && message.contains("Update Keycloak"));
    }
}
