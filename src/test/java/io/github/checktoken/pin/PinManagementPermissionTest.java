package io.github.checktoken.pin;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PinManagementPermissionTest {

    @ParameterizedTest
    @ValueSource(strings = {"otp", "pop", "hwk", "sms", "face", "mfa", "an-administrators-own"})
    void otherFactorAllowsAFirstPin(String method) {
        assertTrue(PinManagementPermission.isOtherFactor(method));
    }

    /** Somebody who has the password may also have the mailbox with which it can be reset. */
    @ParameterizedTest
    @ValueSource(strings = {"pwd", "pin", "kba", "mail", "wia", "user", "fc"})
    void knowledgeAndWhatIsNoFactorDoNot(String method) {
        assertFalse(PinManagementPermission.isOtherFactor(method));
    }
}
