package io.github.checktoken.login.gate;

import java.util.Map;

import org.keycloak.cookie.CookieProvider;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.UserProvider;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import io.github.checktoken.login.evidence.FakeLogin;
import io.github.checktoken.support.Fake;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A flow has passed, and Anna is its user. */
class LoginGateTest {

    /** A refusal begins with an event. */
    private static final RuntimeException EVENT = new IllegalStateException();

    private final FakeLogin login = new FakeLogin();
    private final LoginGate gate = new LoginGate(login.session, FakeRequest.of(login, "protocol/openid-connect/auth"));

    LoginGateTest() {
        login.signIn("anna");
        login.authNotes.put("current.flow.path", "authenticate");
        login.realmResults.put("getName", "realm");
        login.realmResults.put("isEventsEnabled", EVENT);
        login.results.put("getKeycloakSessionFactory", Fake.of(KeycloakSessionFactory.class, Map.of()));
        login.results.put("users", Fake.of(UserProvider.class, Map.of()));
        login.providers.put(CookieProvider.class, Fake.of(CookieProvider.class, Map.of()));
    }

    @Test
    void loginInWhichNothingWasProvedIsRefused() {
        assertRefused();
        passes("auth-username-form");
        assertRefused();
    }

    @Test
    void loginGoesOnIfAStepWasPassedThatMayProveSomething() {
        passes("of-an-extension");
        gate.requireProof(login.authSession);
    }

    @Test
    void loginWithTheLinkOfAMailGoesOn() {
        login.authNotes.put("ACTION_TOKEN_USER", "anna");
        gate.requireProof(login.authSession);
    }

    @Test
    void loginThroughAProviderGoesOn() {
        login.userSessionNotes.put("identity_provider", "fc");
        gate.requireProof(login.authSession);
    }

    /** Whatever else was proved, the user has not been asked what the post login flow asks. */
    @Test
    void loginThatWaitsForThePostLoginFlowIsRefused() {
        passes("of-an-extension");
        login.userSessionNotes.put("identity_provider", "fc");
        login.authNotes.put("PBL_BROKERED_IDENTITY_CONTEXT", "{}");
        assertRefused();
    }

    /** In its flow, the user is asked about the identity. Elsewhere nobody has agreed to it, whatever was proved. */
    @Test
    void identityIsLinkedOnlyInTheFlowOfTheFirstLogin() {
        passes("of-an-extension");
        LoginGate inItsFlow = new LoginGate(login.session, FakeRequest.of(login, "login-actions/first-broker-login"));
        inItsFlow.requireProofToLink(login.authSession);
        LoginGate elsewhere = new LoginGate(login.session, FakeRequest.of(login, "login-actions/authenticate"));
        assertSame(EVENT, assertThrows(RuntimeException.class, () -> elsewhere.requireProofToLink(login.authSession)));
    }

    @Test
    void identityIsLinkedOnlyIfTheUserProvedSomethingOrIsNew() {
        LoginGate inItsFlow = new LoginGate(login.session, FakeRequest.of(login, "login-actions/first-broker-login"));
        assertSame(EVENT, assertThrows(RuntimeException.class, () -> inItsFlow.requireProofToLink(login.authSession)));
        login.authNotes.put("BROKER_REGISTERED_NEW_USER", "true");
        inItsFlow.requireProofToLink(login.authSession);
    }

    private void assertRefused() {
        assertSame(EVENT, assertThrows(RuntimeException.class, () -> gate.requireProof(login.authSession)));
    }

    private void passes(String authenticator) {
        AuthenticationExecutionModel execution = new AuthenticationExecutionModel();
        execution.setAuthenticator(authenticator);
        login.realmResults.put("getAuthenticationExecutionById", execution);
        login.authSessionResults.put("getExecutionStatus", Map.of("execution", ExecutionStatus.SUCCESS));
    }
}
