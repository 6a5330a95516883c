package io.github.checktoken.login.gate;

import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;

import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import io.github.checktoken.login.evidence.FakeLogin;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AuthenticatorsWithoutProofTest {

    private final FakeLogin login = new FakeLogin();

    @Test
    void thoseThatAreJudgedToProveNothingAreKnown() throws IOException {
        assertEquals(
                new Judgements("judged-authenticators.txt").names("", "proves nothing"),
                new TreeSet<>(AuthenticatorsWithoutProof.IDS));
    }

    @Test
    void anotherAuthenticatorCountsOnlyIfItHasSucceeded() {
        assertTrue(hasOtherSucceeded("of-an-extension", ExecutionStatus.SUCCESS));
        assertFalse(hasOtherSucceeded("of-an-extension", ExecutionStatus.CHALLENGED));
        assertFalse(hasOtherSucceeded("auth-username-form", ExecutionStatus.SUCCESS));
    }

    @Test
    void flowIsNoAuthenticator() {
        AuthenticationExecutionModel flow = execution("of-an-extension");
        flow.setAuthenticatorFlow(true);
        assertFalse(hasOtherSucceeded(flow, ExecutionStatus.SUCCESS));
    }

    private boolean hasOtherSucceeded(String authenticator, ExecutionStatus status) {
        return hasOtherSucceeded(execution(authenticator), status);
    }

    private boolean hasOtherSucceeded(AuthenticationExecutionModel execution, ExecutionStatus status) {
        login.realmResults.put("getAuthenticationExecutionById", execution);
        login.authSessionResults.put("getExecutionStatus", Map.of("execution", status));
        return AuthenticatorsWithoutProof.hasOtherSucceeded(login.authSession);
    }

    private static AuthenticationExecutionModel execution(String authenticator) {
        AuthenticationExecutionModel execution = new AuthenticationExecutionModel();
        execution.setAuthenticator(authenticator);
        return execution;
    }
}
