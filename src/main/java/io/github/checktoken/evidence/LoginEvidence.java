package io.github.checktoken.evidence;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.keycloak.authentication.AuthenticationProcessor;
import org.keycloak.authentication.AuthenticatorUtil;
import org.keycloak.models.Constants;
import org.keycloak.models.DefaultActionTokenKey;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.UserModel;
import org.keycloak.protocol.oidc.OIDCLoginProtocol;
import org.keycloak.services.managers.AuthenticationManager;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.CommonClientSessionModel.ExecutionStatus;
import org.keycloak.util.TokenUtil;

import io.github.checktoken.broker.BrokeredMethods;
import io.github.checktoken.method.AuthenticationMethods;
import io.github.checktoken.session.JsonNote;

/**
 * What the user of an authentication session has proved in this login.
 *
 * <p>Keycloak swaps or clears the user of an authentication session (a second login at an identity provider, <em>Reset
 * credentials</em>, a link from a mail) and leaves the credentials and executions of the former one in it. So what is new is
 * taken down at the end of each request, under the user of that request, in a {@link EvidenceLedger}. When another user is there, or
 * none, all that was taken down is dropped. What cannot be attributed is not told.
 *
 * <p>The ledger is an authentication note: Keycloak's reset of a flow clears it together with what it is about.
 */
public final class LoginEvidence {

    private static final String NOTE = "checktoken.evidence";

    private final KeycloakSession session;
    private final AuthenticationSessionModel authSession;
    private final UserModel user;
    private final EvidenceLedger before;
    private final EvidenceLedger now;

    private LoginEvidence(KeycloakSession session, AuthenticationSessionModel authSession) {
        this.session = session;
        this.authSession = authSession;
        this.user = authSession.getAuthenticatedUser();
        this.before = JsonNote.read(authSession.getAuthNote(NOTE), EvidenceLedger.class)
                .orElse(EvidenceLedger.EMPTY);
        this.now = takeDown();
    }

    /** Everything until now, what this request has brought included. */
    public static LoginEvidence of(KeycloakSession session, AuthenticationSessionModel authSession) {
        return new LoginEvidence(session, authSession);
    }

    /** The methods of this login, with those that an identity provider vouched for. */
    public AuthenticationMethods methods() {
        return user == null
                ? AuthenticationMethods.NONE
                : BrokeredMethods.of(session, authSession, user).and(now.methods());
    }

    /**
     * Whether it is known that this user is at the browser, and not somebody who typed a username: by a method of this
     * login, by an identity provider, by a link from the user's mail, by having registered in this login, or by the
     * single sign-on session that this login continues.
     */
    public boolean identifiesUser() {
        return user != null
                && (now.registered()
                        || methods().identifyUser()
                        || BrokeredMethods.hasSignedIn(session, authSession, user)
                        || user.getId().equals(authSession.getAuthNote(DefaultActionTokenKey.ACTION_TOKEN_USER_ID))
                        || continuesSession());
    }

    private boolean continuesSession() {
        return !replacesFormer()
                && ContinuedSession.of(session, authSession)
                        .filter(continued -> user.equals(continued.getUser()))
                        .isPresent();
    }

    /** Whether this request has put another user, or none, in the place of the former one. */
    public boolean hasOtherUser() {
        return before.user() != null && !before.user().equals(userId());
    }

    /**
     * Whether this login takes the place of what the single sign-on session had: a forced re-authentication. A first login
     * at a provider clears Keycloak's note of it; the request's parameters stay.
     */
    public boolean replacesFormer() {
        return AuthenticatorUtil.isForcedReauthentication(authSession)
                || TokenUtil.hasPrompt(
                        authSession.getClientNote(OIDCLoginProtocol.PROMPT_PARAM), OIDCLoginProtocol.PROMPT_VALUE_LOGIN)
                || BrokeredMethods.providerAlias(authSession) != null
                        && authSession.getClientNote(OIDCLoginProtocol.MAX_AGE_PARAM) != null;
    }

    /** For the requests that follow. Called at the end of each, see {@link LoginEvidenceFilter}. */
    void keep() {
        if (!now.equals(before)) {
            authSession.setAuthNote(NOTE, JsonNote.write(now));
        }
        if (user == null || hasOtherUser()) {
            forgetFormerUser();
        }
    }

    private EvidenceLedger takeDown() {
        List<String> credentials = AuthenticatorUtil.getAuthnCredentials(authSession);
        Set<String> executions = succeeded();
        if (user == null || hasOtherUser()) {
            // Their list begins anew, see forgetFormerUser.
            return new EvidenceLedger(userId(), 0, executions, AuthenticationMethods.NONE, false);
        }
        Set<String> newExecutions = new HashSet<>(executions);
        newExecutions.removeAll(before.executions());
        List<String> newCredentials =
                credentials.subList(Math.min(before.credentials(), credentials.size()), credentials.size());
        NewProof proof = new NewProof(session, authSession, newCredentials, newExecutions);
        return new EvidenceLedger(
                userId(),
                credentials.size(),
                executions,
                before.methods().and(proof.methods()),
                before.registered() || proof.isRegistration());
    }

    private Set<String> succeeded() {
        return authSession.getExecutionStatus().entrySet().stream()
                .filter(execution -> execution.getValue() == ExecutionStatus.SUCCESS)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /**
     * Keycloak's own marks of what somebody else has reached: a right password (also of a user who was then refused), the
     * level of authentication, and the credentials that were used: with a passkey among them the password form passes
     * whoever is named next, and a condition takes the second factor for given.
     */
    private void forgetFormerUser() {
        for (String note : List.of(
                AuthenticationManager.PASSWORD_VALIDATED,
                Constants.LEVEL_OF_AUTHENTICATION,
                Constants.LOA_MAP,
                AuthenticationProcessor.AUTHN_CREDENTIALS)) {
            if (authSession.getAuthNote(note) != null) {
                authSession.removeAuthNote(note);
            }
        }
        if (authSession.getUserSessionNotes().containsKey(Constants.LOA_MAP)) {
            authSession.setUserSessionNote(Constants.LOA_MAP, null);
        }
    }

    private String userId() {
        return user == null ? null : user.getId();
    }
}
