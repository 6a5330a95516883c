package io.github.checktoken.login.gate;

import java.util.Set;

import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.sessions.AuthenticationSessionModel;

import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.login.gate.provider.FirstBrokerLogin;

/**
 * Keycloak's authenticators that can succeed although the user has proved nothing with them. The cookie is one of them,
 * because the session that it names may end while a page of the login is open. The mail that resets credentials is one,
 * too: in Keycloak 26.5 its step can pass although nobody has opened the link. The opened link counts by itself.
 */
final class AuthenticatorsWithoutProof {

    static final Set<String> IDS = Set.of(
            "allow-access-authenticator",
            "auth-conditional-otp-form",
            "auth-cookie",
            "auth-username-form",
            "conditional-client-scope",
            "conditional-authentication-method",
            "conditional-credential",
            "conditional-level-of-authentication",
            "conditional-sub-flow-executed",
            "conditional-user-attribute",
            "conditional-user-configured",
            "conditional-user-role",
            "direct-grant-validate-username",
            "idp-add-organization-member",
            "idp-confirm-link",
            "idp-confirm-override-link",
            "idp-detect-existing-broker-user",
            "idp-review-profile",
            "identity-provider-redirector",
            "organization",
            "reset-credential-email",
            "reset-credentials-choose-user",
            "reset-otp",
            "reset-password",
            "user-session-limits");

    private AuthenticatorsWithoutProof() {}

    /** Whether an execution of another authenticator has succeeded, with which the user may have proved something. */
    static boolean hasOtherSucceeded(AuthenticationSessionModel authSession) {
        return LoginEvidence.succeededExecutions(authSession).stream()
                .map(authSession.getRealm()::getAuthenticationExecutionById)
                .anyMatch(execution ->
                        isOther(execution) && !FirstBrokerLogin.isWithoutAgreement(authSession, execution));
    }

    private static boolean isOther(AuthenticationExecutionModel execution) {
        return execution != null && !execution.isAuthenticatorFlow() && !IDS.contains(execution.getAuthenticator());
    }
}
