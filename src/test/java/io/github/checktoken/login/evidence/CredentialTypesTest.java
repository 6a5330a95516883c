package io.github.checktoken.login.evidence;

import java.util.Map;

import org.keycloak.models.RealmModel;
import org.keycloak.models.WebAuthnPolicy;

import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class CredentialTypesTest {

    @ParameterizedTest
    @CsvSource({"required, true", "preferred, false", "discouraged, false", "not specified, false", ", false"})
    void webAuthnIsTwoFactorsOnlyIfThePolicyOfItsKindRequiresUserVerification(String verification, boolean two) {
        RealmModel second = realm(verification, "required");
        RealmModel passwordless = realm("required", verification);
        assertEquals(two, CredentialTypes.isMultiFactor(second, "webauthn"));
        assertEquals(two, CredentialTypes.isMultiFactor(passwordless, "webauthn-passwordless"));
    }

    @Test
    void noOtherCredentialIsTwoFactors() {
        RealmModel realm = realm("required", "required");
        for (String type : new String[] {"password", "otp", "pin", "mail", "recovery-authn-codes", null}) {
            assertFalse(CredentialTypes.isMultiFactor(realm, type), type);
        }
    }

    private static RealmModel realm(String second, String passwordless) {
        return Fake.of(
                RealmModel.class,
                Map.of("getWebAuthnPolicy", policy(second), "getWebAuthnPolicyPasswordless", policy(passwordless)));
    }

    private static WebAuthnPolicy policy(String verification) {
        WebAuthnPolicy policy = new WebAuthnPolicy();
        policy.setUserVerificationRequirement(verification);
        return policy;
    }
}
