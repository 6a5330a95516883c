package io.github.checktoken.login.gate;

import java.util.Map;
import java.util.Set;

import jakarta.ws.rs.WebApplicationException;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.authenticators.broker.AbstractIdpAuthenticator;
import org.keycloak.broker.provider.AbstractIdentityProvider;
import org.keycloak.events.Details;
import org.keycloak.events.EventBuilder;
import org.keycloak.events.EventType;
import org.keycloak.models.AuthenticationExecutionModel;
import org.keycloak.models.Constants;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.light.LightweightUserAdapter;
import org.keycloak.services.ErrorPageException;
import org.keycloak.services.resources.LoginActionsService;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;

import io.github.checktoken.login.evidence.ContinuedUserSession;
import io.github.checktoken.login.evidence.IdentityProviderLogin;
import io.github.checktoken.login.evidence.LoginEvidence;
import io.github.checktoken.telemetry.CheckTokenMetrics;

/**
 * Refuses to go on with a login in which nothing shows that the user is at the browser.
 *
 * <p>It refuses only if it is sure, because each execution that has succeeded is one that proves nothing: a username was
 * typed, or a form was skipped. If another execution has succeeded, such as Kerberos or one of another extension, the
 * login goes on.
 */
final class LoginGate {

    /** The realm attribute that opens the gate, for a realm in which a username alone shall be enough. */
    static final String REALM_ATTRIBUTE = "checktoken.login.gate";

    static final String OPEN = "off";

    /** The error of the event LOGIN_ERROR. */
    static final String ERROR = "nothing_proved";

    /** Keycloak's authenticators that can succeed although the user has proved nothing with them. */
    static final Set<String> PROVE_NOTHING = Set.of(
            "allow-access-authenticator",
            "auth-conditional-otp-form",
            "auth-username-form",
            "conditional-client-scope",
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
            "reset-credentials-choose-user",
            "reset-otp",
            "reset-password",
            "user-session-limits");

    static final String LOGIN_ACTIONS = "/login-actions/";

    private final KeycloakSession session;
    private final RequestLock lock;

    LoginGate(KeycloakSession session, RequestLock lock) {
        this.session = session;
        this.lock = lock;
    }

    /**
     * Called when a flow has passed, before a required action is shown and before the login ends.
     *
     * @throws WebApplicationException with an error page if nothing was proved
     */
    void requireProof(AuthenticationSessionModel authSession) {
        if (lock.isOverdue()) {
            throw busy();
        }
        UserModel user = authSession.getAuthenticatedUser();
        boolean passes = user == null
                || !isLoginInABrowser(authSession)
                || user instanceof LightweightUserAdapter
                || IdentityProviderLogin.alias(authSession) != null
                || isProvedOrUnknown(authSession);
        if (!passes) {
            refuse(authSession);
        }
    }

    /**
     * Called when a first broker login has passed, before the identity is linked to the user. It may pass outside its own
     * flow: the user has signed in at another provider, or has reset the password. Keycloak links then without asking
     * again, so the user must be the one whom the flow has found.
     */
    void requireProofToLink(AuthenticationSessionModel authSession) {
        if (lock.isOverdue()) {
            throw busy();
        }
        boolean passes = isOnPage(LoginActionsService.FIRST_BROKER_LOGIN_PATH)
                ? isCreatedForTheIdentity(authSession) || isProvedOrUnknown(authSession)
                : isFoundByTheFlow(authSession);
        if (!passes) {
            refuse(authSession);
        }
    }

    /**
     * Whether the request is for this page of the login actions. The address decides, and not the note of the current flow.
     */
    boolean isOnPage(String page) {
        return path().endsWith(LOGIN_ACTIONS + page);
    }

    /** Whether the request is for one of the login actions, and not for a protocol or the callback of a provider. */
    boolean isOnLoginActions() {
        return path().contains(LOGIN_ACTIONS);
    }

    /** As it was sent, so that nothing encoded in it is taken for another page. */
    private String path() {
        return session.getContext().getUri().getRequestUri().getRawPath();
    }

    private static boolean isCreatedForTheIdentity(AuthenticationSessionModel authSession) {
        return Boolean.parseBoolean(authSession.getAuthNote(AbstractIdentityProvider.BROKER_REGISTERED_NEW_USER));
    }

    private boolean isFoundByTheFlow(AuthenticationSessionModel authSession) {
        return authSession.getAuthNote(AbstractIdpAuthenticator.EXISTING_USER_INFO) != null
                && AbstractIdpAuthenticator.getExistingUser(session, authSession.getRealm(), authSession)
                        .equals(authSession.getAuthenticatedUser());
    }

    /** A login begins at a protocol, which notes the path of its flow, or at a link to one of the login actions. */
    private boolean isLoginInABrowser(AuthenticationSessionModel authSession) {
        return isOnLoginActions() || authSession.getAuthNote(AuthenticationProcessor.CURRENT_FLOW_PATH) != null;
    }

    /**
     * Whether these are the levels of the session whose cookie the browser has sent, and another user is set. Keycloak's
     * cookie authenticator notes them before it finds out.
     */
    boolean isLevelOfAnotherUser(AuthenticationSessionModel authSession, String levels) {
        UserModel user = authSession.getAuthenticatedUser();
        return user != null
                && levels != null
                && ContinuedUserSession.of(session, authSession)
                        .filter(other -> !user.equals(other.getUser()))
                        .map(other -> other.getNote(Constants.LOA_MAP))
                        .filter(levels::equals)
                        .isPresent();
    }

    boolean isOverdue() {
        return lock.isOverdue();
    }

    ErrorPageException busy() {
        return lock.busy();
    }

    private boolean isProvedOrUnknown(AuthenticationSessionModel authSession) {
        return isOpen(authSession.getRealm())
                || hasUnknownExecution(authSession)
                || LoginEvidence.of(session, authSession).identifiesUser();
    }

    private static boolean isOpen(RealmModel realm) {
        return OPEN.equals(realm.getAttribute(REALM_ATTRIBUTE));
    }

    private static boolean hasUnknownExecution(AuthenticationSessionModel authSession) {
        return authSession.getExecutionStatus().entrySet().stream()
                .filter(execution -> execution.getValue() == ExecutionStatus.SUCCESS)
                .map(Map.Entry::getKey)
                .map(authSession.getRealm()::getAuthenticationExecutionById)
                .anyMatch(LoginGate::mayProve);
    }

    private static boolean mayProve(AuthenticationExecutionModel execution) {
        return execution != null
                && !execution.isAuthenticatorFlow()
                && !PROVE_NOTHING.contains(execution.getAuthenticator());
    }

    /** Resets the login, so that the user can begin again and nothing of this one is left. */
    private void refuse(AuthenticationSessionModel authSession) {
        RealmModel realm = authSession.getRealm();
        new EventBuilder(realm, session, session.getContext().getConnection())
                .event(EventType.LOGIN)
                .client(authSession.getClient())
                .user(authSession.getAuthenticatedUser())
                .detail(Details.REASON, "nothing in this login shows that the user is at the browser")
                .error(ERROR);
        CheckTokenMetrics.refusedLogin(realm.getName());
        AuthenticationProcessor.resetFlow(authSession, LoginActionsService.AUTHENTICATE_PATH);
        throw new WebApplicationException(new InterruptedLoginPage(session).nothingProved(authSession));
    }
}
