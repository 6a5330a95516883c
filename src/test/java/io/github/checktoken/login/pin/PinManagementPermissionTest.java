package io.github.checktoken.login.pin;

import java.util.Set;

import io.github.checktoken.login.evidence.AuthenticationMethodUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PinManagementPermissionTest {

    @ParameterizedTest
    @ValueSource(strings = {"otp", "recovery-authn-codes", "webauthn", "webauthn-passwordless", "cert"})
    void otherFactorAllowsAFirstPin(String credential) {
        assertTrue(isOtherFactor(use("an-administrators-own", credential)));
    }

    @Test
    void credentialOfAnotherExtensionDoesIfItIsStored() {
        assertTrue(isOtherFactor(use("sms", "stored-elsewhere")));
        assertFalse(isOtherFactor(use("sms", "not-stored")));
    }

    @Test
    void passkeyOfAVerifiedUserDoes() {
        assertTrue(isOtherFactor(
                new AuthenticationMethodUse("pop", true, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION)));
    }

    /** Somebody who has the password may also have the mailbox with which it can be reset. */
    @ParameterizedTest
    @ValueSource(strings = {"password", "pin", "mail", "kerberos"})
    void knowledgeAndWhatIsNoFactorDoNot(String credential) {
        assertFalse(isOtherFactor(use("otp", credential)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"otp", "pop", "sms", "mfa", "an-administrators-own"})
    void valueAloneDoesNot(String reference) {
        assertFalse(isOtherFactor(use(reference, null)));
    }

    private static boolean isOtherFactor(AuthenticationMethodUse use) {
        return PinManagementPermission.isOtherFactor(use, Set.of("otp", "stored-elsewhere"));
    }

    private static AuthenticationMethodUse use(String value, String credential) {
        return new AuthenticationMethodUse(value, false, 0, AuthenticationMethodUse.AS_LONG_AS_THE_SESSION, credential);
    }
}
