package io.github.checktoken.login.gate.provider;

import org.keycloak.models.AuthenticationExecutionModel;

import io.github.checktoken.keycloak.AccountLinkAgreement;
import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Whether a step of a first login shows that the owner of an account has agreed to the identity. */
class FirstBrokerLoginTest {

    private static final String IDENTITY = "BROKERED_CONTEXT";

    private final FakeLogin login = new FakeLogin();

    FirstBrokerLoginTest() {
        login.authNotes.put(IDENTITY, "{\"identityProviderId\":\"fc\",\"brokerUserId\":\"fc.id\"}");
    }

    @Test
    void mailIsAnAgreementOnlyIfItsLinkWasOpened() {
        assertTrue(isWithoutAgreement("idp-email-verification"));
        login.authNotes.put("VERIFY_ACCOUNT_IDP_USERNAME", "name");
        assertFalse(isWithoutAgreement("idp-email-verification"));
    }

    @Test
    void nothingIsAnAgreementOnceTheFirstLoginWasLeft() {
        login.authNotes.put("VERIFY_ACCOUNT_IDP_USERNAME", "name");
        login.authNotes.remove(IDENTITY);
        assertTrue(isWithoutAgreement("idp-email-verification"));
        assertTrue(isWithoutAgreement("idp-auto-link"));
        assertTrue(isWithoutAgreement("idp-create-user-if-unique"));
    }

    @Test
    void agreementCountsAfterTheProviderHasSignedTheUserIn() {
        login.authNotes.put("VERIFY_ACCOUNT_IDP_USERNAME", "name");
        login.authNotes.remove(IDENTITY);
        login.userSessionNotes.put("identity_provider", "fc");
        assertFalse(isWithoutAgreement("idp-email-verification"));
    }

    @Test
    void existingUserIsNotLinkedByWhatWasTyped() {
        assertFalse(isWithoutAgreement("idp-auto-link"));
        login.authNotes.put("UPDATE_PROFILE_EMAIL_CHANGED", "true");
        assertTrue(isWithoutAgreement("idp-auto-link"));
    }

    /** Without an id of the identity, the link of a mail can be about another one with the same name. */
    @Test
    void existingUserIsFoundOnlyForAnIdentityWithAnId() {
        // In Keycloak 26.5, the link does not tell it.
        assertEquals(!AccountLinkAgreement.namesIdentity(), isWithoutAgreement("idp-create-user-if-unique"));
        login.authNotes.put(IDENTITY, "{\"identityProviderId\":\"fc\"}");
        assertTrue(isWithoutAgreement("idp-create-user-if-unique"));
        login.authNotes.put("BROKER_REGISTERED_NEW_USER", "true");
        assertFalse(isWithoutAgreement("idp-create-user-if-unique"));
    }

    @Test
    void otherStepNeedsNoAgreement() {
        assertFalse(isWithoutAgreement("auth-password-form"));
    }

    private boolean isWithoutAgreement(String authenticator) {
        AuthenticationExecutionModel step = new AuthenticationExecutionModel();
        step.setAuthenticator(authenticator);
        return FirstBrokerLogin.isWithoutAgreement(login.authSession, step);
    }
}
